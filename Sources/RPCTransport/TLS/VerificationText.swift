import COpenSSL

/// OpenSSL's result of a certificate's verification as text that says what is wrong.
func verificationText(_ result: Int) -> String {
  switch Int32(truncatingIfNeeded: result) {
  case X509_V_ERR_CERT_HAS_EXPIRED: "it has expired"
  case X509_V_ERR_CERT_NOT_YET_VALID: "it isn't valid yet; check the clocks"
  case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    "it is self-signed and not among the trusted ones"
  case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "it comes from a certificate authority that isn't trusted"
  case X509_V_ERR_INVALID_PURPOSE: "it isn't made for this use (extended key usage)"
  case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    "its signature doesn't fit the certificate authority's key"
  case X509_V_ERR_HOSTNAME_MISMATCH: "it is for another name"
  case X509_V_ERR_IP_ADDRESS_MISMATCH: "it is for another IP address"
  default: String(cString: X509_verify_cert_error_string(result))
  }
}
