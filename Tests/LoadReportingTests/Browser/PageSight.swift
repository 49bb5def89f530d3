import Foundation
import Testing

@testable import LoadReporting

/// What a page was like in a browser.
struct PageSight {
  /// The browser's own words, the console of the page among them.
  let log: String

  private let findings: JSONValue

  init(document: String, log: String) throws {
    self.log = log
    let pattern = /<pre id="probe">(.*?)<\/pre>/
    let match = try #require(document.firstMatch(of: pattern), "the probe ran: \(log)")
    findings = try JSONValue(
      parsing: String(match.1).replacing("&quot;", with: "\"").replacing("&gt;", with: ">"))
  }

  /// The page's width, and how much of it is visible.
  var widths: (content: Double?, window: Double?) {
    (findings["content"]?.double, findings["window"]?.double)
  }

  /// Elements that reach over the page's right edge, other than in what can be scrolled.
  var tooWide: [String] { strings("wide") }

  /// Errors of scripts, and what the page's policy kept from being loaded.
  var errors: [String] { strings("errors") }

  /// Charts without a visible line.
  var emptyCharts: [String] { strings("empty") }

  /// How many charts there are.
  var charts: Double? { findings["charts"]?.double }

  /// What the pointer shows over the first chart.
  var tip: String? { findings["tip"]?.string }

  /// The page's colour behind everything.
  var background: String? { findings["background"]?.string }

  private func strings(_ name: String) -> [String] {
    (findings[name]?.elements ?? []).map { $0.string ?? "?" }
  }

  /// A page with a script before and after its own: they listen for errors, look at the elements,
  /// and write down what they saw.
  static func probed(_ page: String) -> String {
    page.replacing("<head>", with: "<head>\n<script>\(early)</script>")
      .replacing("</body>", with: "<script>\(late)</script></body>")
  }

  /// What the page stands in: writes down what the probe says.
  static func frame(width: Int) -> String {
    """
    <!DOCTYPE html><html style="color-scheme: light dark"><script>
    addEventListener("message", function (event) {
      var note = document.createElement("pre");
      note.id = "probe";
      note.textContent = event.data;
      document.body.append(note);
    });
    </script><body style="margin:0">
    <iframe src="page.html" style="border:0;width:\(width)px;height:900px"></iframe></body></html>
    """
  }

  private static let early = """
    var seen = [];
    addEventListener("error", function (event) { seen.push(String(event.message)); }, true);
    addEventListener("securitypolicyviolation", function (event) {
      seen.push("policy: " + event.blockedURI);
    });
    """

  private static let late = """
    addEventListener("load", function () {
      var edge = document.documentElement.clientWidth;
      var charts = Array.from(document.querySelectorAll("figure.chart"));
      function isDrawn(path) {
        var box = path.getBoundingClientRect();
        var room = path.ownerSVGElement.getBoundingClientRect();
        return path.getAttribute("d") !== "" && getComputedStyle(path).stroke !== "none" &&
          box.left > room.left - 5 && box.right < room.right + 5 &&
          box.top > room.top - 5 && box.bottom < room.bottom + 5;
      }
      var tip = null;
      if (charts.length) {
        var field = charts[0].querySelector(".field");
        var box = field.getBoundingClientRect();
        field.dispatchEvent(new PointerEvent("pointermove", {
          clientX: box.left + box.width / 2, clientY: box.top + 5, bubbles: true }));
        var shown = field.querySelector(".tip");
        tip = shown ? shown.textContent : null;
      }
      var found = {
        content: document.documentElement.scrollWidth, window: innerWidth, errors: seen, tip: tip,
        charts: charts.length, background: getComputedStyle(document.body).backgroundColor,
        empty: charts.filter(function (chart) {
          return !Array.from(chart.querySelectorAll("path.line")).some(isDrawn);
        }).map(function (chart) { return chart.querySelector("h3").textContent; }),
        wide: Array.from(document.querySelectorAll("main *")).filter(function (element) {
          return !element.closest(".scroll *") && element.getBoundingClientRect().right > edge + 1;
        }).map(function (element) { return element.outerHTML.slice(0, 80); }).slice(0, 5)
      };
      parent.postMessage(JSON.stringify(found).replaceAll("<", "(").replaceAll("&", "+"), "*");
    });
    """
}
