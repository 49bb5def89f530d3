/// The currencies of ISO 4217 by how many decimal places they have.
///
/// Source: ISO 4217 list one. Codes without minor units (metals, testing, units of account) aren't
/// money that anybody is charged, so they aren't here. `ANG` and `BGN` were withdrawn in 2025 and
/// 2026; they stay because transactions made in them do.
enum CurrencyTable {
  static let withoutDecimals = """
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
    """

  static let withTwoDecimals = """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
    CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK
    PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
    TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG
    """

  static let withThreeDecimals = "BHD IQD JOD KWD LYD OMR TND"

  static let withFourDecimals = "CLF UYW"
}
