// The query editor: sends the text of the area to /sparql, or a named query to its address, and shows the answer.
// All that comes from the graph is put in as text, never as markup.
"use strict";

const byId = (id) => document.getElementById(id);
const BASE = "https://w3id.org/sotagraph/id/";
let library = [];

function element(tag, text, parent) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function cell(term, row) {
  const td = element("td", undefined, row);
  if (!term) return;
  if (term.type === "uri" && term.value.startsWith(BASE)) {
    const link = element("a", decodeURIComponent(term.value.slice(BASE.length)), td);
    link.href = "/id/" + term.value.slice(BASE.length);
  } else {
    td.textContent = term.value;
  }
}

function table(answer, parent) {
  const made = element("table", undefined, parent);
  const head = element("tr", undefined, element("thead", undefined, made));
  answer.head.vars.forEach((name) => element("th", name, head));
  const body = element("tbody", undefined, made);
  for (const binding of answer.results.bindings) {
    const row = element("tr", undefined, body);
    answer.head.vars.forEach((name) => cell(binding[name], row));
  }
}

async function show(address, options) {
  const status = byId("status");
  const answer = byId("answer");
  status.className = "";
  status.textContent = "running";
  answer.replaceChildren();
  const began = performance.now();
  try {
    const accept = "application/sparql-results+json, text/turtle;q=0.9";
    const response = await fetch(address, { ...options, headers: { ...options.headers, Accept: accept } });
    const text = await response.text();
    const took = Math.round(performance.now() - began) + " ms";
    if (!response.ok) throw new Error(text.trim());
    if (!response.headers.get("Content-Type").includes("json")) {
      element("pre", text, answer);
      status.textContent = took;
      return;
    }
    const found = JSON.parse(text);
    if ("boolean" in found) element("p", String(found.boolean), answer);
    else table(found, answer);
    const rows = found.results ? found.results.bindings.length : 0;
    status.textContent = (found.results ? rows + (rows === 1 ? " row, " : " rows, ") : "") + took;
  } catch (error) {
    status.className = "error";
    status.textContent = error.message;
  }
}

function download(address) {
  const link = byId("download");
  link.hidden = false;
  link.href = address;
  link.download = "answer.csv";
}

function run(event) {
  event.preventDefault();
  const chosen = library.find((query) => query.name === byId("named").value);
  if (chosen) {
    const values = new URLSearchParams();
    for (const input of byId("parameters").querySelectorAll("input")) if (input.value) values.set(input.name, input.value);
    download(chosen.href + "?" + values + (values.size ? "&" : "") + "format=csv");
    show(chosen.href + (values.size ? "?" + values : ""), {});
    return;
  }
  const query = byId("query").value;
  download("/sparql?" + new URLSearchParams({ query, format: "csv" }));
  show("/sparql", { method: "POST", body: query, headers: { "Content-Type": "application/sparql-query" } });
}

function choose() {
  const chosen = library.find((query) => query.name === byId("named").value);
  const parameters = byId("parameters");
  parameters.replaceChildren();
  byId("query").readOnly = Boolean(chosen);
  if (!chosen) return;
  byId("query").value = chosen.text;
  for (const parameter of chosen.parameters) {
    const label = element("label", parameter.name + " ", parameters);
    const input = element("input", undefined, label);
    input.name = parameter.name;
    input.placeholder = parameter.default || "";
    input.title = parameter.description;
  }
}

byId("form").addEventListener("submit", run);
byId("named").addEventListener("change", choose);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(event);
});
fetch("/queries").then((response) => response.json()).then((found) => { library = found; choose(); });
