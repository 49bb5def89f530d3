/// What pages can do beyond being read: the values under the pointer, and lines that can be
/// switched off. A page is complete without it.
enum PageScript {
  static let text = """
    "use strict";
    document.querySelectorAll("figure.chart").forEach(function (chart) {
      var field = chart.querySelector(".field");
      var svg = field.querySelector("svg");
      var names = chart.dataset.x.split("|");
      var places = chart.dataset.at.split("|").map(Number);
      var lines = Array.from(svg.querySelectorAll("g"));
      var values = lines.map(function (line) { return line.dataset.v.split("|"); });
      var cursor = null, tip = null;
      function leave() {
        if (tip) { tip.remove(); cursor.remove(); tip = cursor = null; }
      }
      function row(text, isTitle) {
        var element = document.createElement(isTitle ? "b" : "div");
        element.textContent = text;
        tip.appendChild(element);
      }
      field.addEventListener("pointermove", function (event) {
        var box = svg.getBoundingClientRect();
        var x = (event.clientX - box.left) / box.width * 1000;
        var best = 0;
        places.forEach(function (place, index) {
          if (Math.abs(place - x) < Math.abs(places[best] - x)) { best = index; }
        });
        leave();
        cursor = document.createElement("div");
        cursor.className = "cursor";
        cursor.style.left = places[best] / 10 + "%";
        cursor.style.height = box.height + "px";
        tip = document.createElement("div");
        tip.className = "tip";
        row(names[best], true);
        lines.forEach(function (line, index) {
          if (line.style.display !== "none") {
            row(line.dataset.name + "  " + values[index][best], false);
          }
        });
        tip.style[places[best] > 500 ? "right" : "left"] =
          "calc(" + (places[best] > 500 ? 100 - places[best] / 10 : places[best] / 10) + "% + 8px)";
        field.append(cursor, tip);
      });
      field.addEventListener("pointerleave", leave);
      chart.querySelectorAll(".key").forEach(function (key, index) {
        var button = document.createElement("button");
        button.type = "button";
        button.className = key.className;
        button.append.apply(button, Array.from(key.childNodes));
        button.setAttribute("aria-pressed", "true");
        button.addEventListener("click", function () {
          var isOff = button.classList.toggle("off");
          lines[index].style.display = isOff ? "none" : "";
          button.setAttribute("aria-pressed", String(!isOff));
        });
        key.replaceWith(button);
      });
    });

    """
}
