/// How pages look: on paper, on a telephone, by day and by night. The colours of lines differ in
/// lightness as well as in hue, for those who can't tell hues apart.
enum PageStyle {
  static let text = colours + layout + charts + narrow

  private static let colours = """
    :root{--paper:#fff;--page:#f6f7f9;--ink:#16191d;--soft:#59616b;--rule:#dfe3e8;--grid:#e9ecf0;
    --warm:#eef1f4;--good:#00694f;--goodbg:#e2f4ee;--bad:#a92c00;--badbg:#fdebe3;--amber:#7a5200;
    --amberbg:#fff3d1;--amberline:#e0a800;--c1:#0068a8;--c2:#4aa3df;--c3:#d0560a;--c4:#7b8794;
    --c5:#00806a;--c6:#a5447f}
    @media(prefers-color-scheme:dark){:root{--paper:#171a1f;--page:#0f1115;--ink:#e8eaed;
    --soft:#9aa4b0;--rule:#2c323a;--grid:#262b32;--warm:#1f242b;--good:#5fd3ae;--goodbg:#10322a;
    --bad:#ff9d73;--badbg:#3b1d10;--amber:#ffd36b;--amberbg:#33280a;--amberline:#b88a00;
    --c1:#5fb0f0;--c2:#2b78b5;--c3:#ff9550;--c4:#8b96a3;--c5:#3fc4a4;--c6:#e08bc0}}

    """

  private static let layout = """
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,
    "Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;
    -webkit-text-size-adjust:100%}
    main{max-width:1120px;margin:0 auto;padding:32px 24px 64px}
    h1{font-size:30px;line-height:1.2;letter-spacing:-.02em;margin:0;overflow-wrap:anywhere}
    h2{font-size:18px;letter-spacing:-.01em;margin:0 0 12px}
    h3{font-size:14px;font-weight:600;margin:0}
    p{margin:0 0 8px}
    header{margin-bottom:20px}
    .top{display:flex;flex-wrap:wrap;align-items:center;gap:8px 14px}
    .sub{color:var(--soft);margin-top:6px}
    .badge{display:inline-block;border-radius:99px;padding:2px 12px;font-size:13px;font-weight:600;
    white-space:nowrap}
    .good{color:var(--good)}.bad{color:var(--bad)}.soft{color:var(--soft)}
    .badge.good{background:var(--goodbg)}.badge.bad{background:var(--badbg)}
    .badge.odd{background:var(--amberbg);color:var(--amber)}
    .alert{border-left:4px solid var(--amberline);background:var(--amberbg);color:var(--amber);
    padding:10px 14px;border-radius:4px;margin:0 0 10px}
    .alert.bad{border-color:var(--bad);background:var(--badbg);color:var(--bad)}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:1px;
    background:var(--paper);border:1px solid var(--rule);border-radius:10px;overflow:hidden;
    margin:16px 0 20px}
    .tile{box-shadow:0 0 0 1px var(--rule);padding:14px 16px}
    .tile b{display:block;font-size:24px;line-height:1.25;letter-spacing:-.02em;font-weight:600;
    white-space:nowrap}
    .tile>span{color:var(--soft);font-size:13px}
    section{background:var(--paper);border:1px solid var(--rule);border-radius:10px;
    padding:20px;margin-bottom:20px}
    .note{color:var(--soft);font-size:14px;max-width:75ch}
    .scroll{overflow-x:auto;max-width:100%}
    .scroll+.scroll,.charts+.scroll{margin-top:20px}
    table{border-collapse:collapse;width:100%;font-size:14px}
    th,td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap;
    vertical-align:top}
    th:first-child,td.l,th.l{text-align:left}
    tbody th{font-weight:500}
    thead th{color:var(--soft);font-weight:500;font-size:13px}
    tbody tr:last-child>*{border-bottom:0}
    th:first-child,td:first-child{padding-left:0}
    th:last-child,td:last-child{padding-right:0}
    td.l.wrap,td .wrap{white-space:normal;overflow-wrap:anywhere}
    .wrap{white-space:normal;overflow-wrap:anywhere;min-width:14em;display:block}
    .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr));
    gap:0 32px;margin:0}
    .facts div{display:flex;gap:12px;padding:6px 0;border-bottom:1px solid var(--rule);
    justify-content:space-between}
    .facts dt{color:var(--soft);flex:none}
    .facts dd{margin:0 0 0 auto;text-align:right;overflow-wrap:anywhere;min-width:0}
    code,pre{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
    pre{background:var(--page);border:1px solid var(--rule);border-radius:6px;padding:10px 12px;
    margin:12px 0 0;white-space:pre-wrap;overflow-wrap:anywhere}
    details{margin-top:12px}
    summary{cursor:pointer;color:var(--soft);font-size:14px}
    details .scroll{max-height:420px;overflow:auto;margin-top:8px}
    footer{color:var(--soft);font-size:13px}
    .split{display:flex;height:14px;border-radius:4px;overflow:hidden;margin:4px 0 8px;gap:1px;
    background:var(--rule)}
    .split i{display:block;min-width:2px}
    .range{position:relative;display:inline-block;width:140px;height:10px;vertical-align:middle}
    .range i{position:absolute;top:3px;height:4px;border-radius:2px;background:var(--c2)}
    .range b{position:absolute;top:0;width:3px;height:10px;margin-left:-1px;background:var(--c1)}

    """

  private static let charts = """
    .charts{display:grid;grid-template-columns:minmax(0,1fr);gap:28px}
    .chart{margin:0;min-width:0}
    figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:2px 16px;
    margin-bottom:8px}
    .legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;color:var(--soft)}
    .key{display:inline-flex;align-items:center;gap:6px;white-space:nowrap}
    .key i{width:18px;border-top:3px solid var(--c)}
    .key.dashed i{border-top-style:dashed}.key.dotted i{border-top-style:dotted}
    .key.area i,.key.bars i{border-top-width:9px}
    .key.off{opacity:.4;text-decoration:line-through}
    button.key{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer}
    .plot{display:flex;gap:8px;font-size:12px;color:var(--soft)}
    .y{position:relative;width:58px;height:200px;flex:none}
    .y span{position:absolute;right:0;transform:translateY(50%);white-space:nowrap;line-height:1}
    .field{position:relative;flex:1;min-width:0}
    .field svg{display:block;width:100%;height:200px;overflow:visible}
    .wide .y,.wide .field svg{height:260px}
    .x{position:relative;height:20px}
    .x span{position:absolute;top:6px;transform:translateX(-50%);white-space:nowrap;line-height:1}
    .x .end{transform:translateX(-100%)}.x .start{transform:none}
    svg path{fill:none;vector-effect:non-scaling-stroke}
    .grid{stroke:var(--grid);stroke-width:1px}.grid.thin{opacity:.7}
    .warm{fill:var(--warm)}
    .line{stroke:var(--c);stroke-width:2px;stroke-linejoin:round;stroke-linecap:round}
    .line.dashed{stroke-dasharray:6 5;stroke-linecap:butt}
    .line.dotted{stroke-dasharray:1 4}
    .line.bars{stroke-width:4px;stroke-linecap:butt}
    svg .fill{fill:var(--c);opacity:.14}
    .c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}.c5{--c:var(--c5)}
    .c6{--c:var(--c6)}
    .cursor{position:absolute;top:0;height:100%;border-left:1px solid var(--soft);
    pointer-events:none}
    .tip{position:absolute;top:4px;z-index:1;background:var(--ink);color:var(--paper);
    border-radius:6px;padding:6px 10px;font-size:12px;line-height:1.5;white-space:nowrap;
    pointer-events:none}
    .tip b{display:block}

    """

  private static let narrow = """
    @media(min-width:900px){.charts.two{grid-template-columns:repeat(2,minmax(0,1fr))}
    .charts.two>:first-child{grid-column:1/-1}}
    @media(max-width:560px){main{padding:16px 12px 40px}section{padding:16px 14px}
    h1{font-size:24px}.tiles{grid-template-columns:1fr 1fr}.tile{padding:10px 12px}
    .tile b{font-size:20px}.y{width:48px}.facts div{flex-wrap:wrap;gap:0 12px}
    .x .minor{display:none}th,td{padding:6px 5px}tbody th{white-space:normal}}
    @media print{:root{--paper:#fff;--page:#fff;--ink:#000;--soft:#444;--rule:#ccc;--grid:#ddd;
    --warm:#eee;--good:#00543f;--goodbg:#fff;--bad:#8f2500;--badbg:#fff;--amber:#5c3d00;
    --amberbg:#fff;--amberline:#b88a00;--c1:#0068a8;--c2:#4aa3df;--c3:#d0560a;--c4:#7b8794;
    --c5:#00806a;--c6:#a5447f}
    body{font-size:11pt}main{max-width:none;padding:0}section,.tiles,.chart,.alert,tr{
    break-inside:avoid}section{border:0;border-top:1px solid var(--rule);border-radius:0;
    padding:12px 0}
    details,.tip,.cursor{display:none}.scroll{overflow:visible}
    *{-webkit-print-color-adjust:exact;print-color-adjust:exact}}

    """
}
