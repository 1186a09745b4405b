// What can be checked without eyes: names, labels, headings, contrast. Returns a list of complaints.
const complaints = [];
const isShown = (element) => element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true });
const nameOf = (element) => {
    const referred = (element.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join(" ").trim();
    const labels = element.labels ? [...element.labels].map((label) => label.textContent).join(" ").trim() : "";
    return (element.getAttribute("aria-label") || referred || labels || element.textContent || element.getAttribute("alt") || "").trim();
};
const tell = (element) => `<${element.tagName.toLowerCase()} id="${element.id}" class="${element.getAttribute("class") || ""}">`;
for (const element of document.querySelectorAll("a, button, input, select, textarea, summary, canvas[tabindex], svg[role=img], canvas[role]")) {
    if (isShown(element) && !nameOf(element)) complaints.push(`${tell(element)} has no name`);
}
for (const image of document.querySelectorAll("img")) if (!image.hasAttribute("alt")) complaints.push(`${tell(image)} has no alt`);
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) complaints.push(`the id ${id} occurs twice`);
for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) complaints.push(`${tell(element)} has a tabindex of its own`);
for (const element of document.querySelectorAll("[aria-describedby], [aria-labelledby], label[for]")) {
    const id = element.getAttribute("aria-describedby") || element.getAttribute("aria-labelledby") || element.htmlFor;
    if (!document.getElementById(id)) complaints.push(`${tell(element)} refers to ${id}, which is not there`);
}
if (!document.documentElement.lang) complaints.push("the page has no language");
if (document.querySelectorAll("main").length !== 1) complaints.push("there must be one main");
const headings = [...document.querySelectorAll("h1, h2, h3")].filter(isShown);
if (headings.filter((heading) => heading.tagName === "H1").length !== 1) complaints.push("there must be one h1");
if (document.documentElement.scrollWidth > innerWidth) complaints.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${innerWidth}`);

const canvas = document.createElement("canvas");
canvas.width = canvas.height = 1;
const context = canvas.getContext("2d", { willReadFrequently: true });
const known = new Map();
const rgba = (colour) => {
    if (!known.has(colour)) known.set(colour, measured(colour));
    return known.get(colour);
};
const measured = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
};
const over = (top, bottom) => top.slice(0, 3).map((value, i) => (value * top[3] + bottom[i] * (255 - top[3])) / 255);
const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
};
const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !isShown(element) || element.closest(":disabled, .hidden-text, .skip, svg, noscript, option")) continue;
    const style = getComputedStyle(element);
    const behind = ground(element);
    const found = contrast(over(rgba(style.color), behind), behind);
    if (found < 4.5) complaints.push(`"${walker.currentNode.data.trim().slice(0, 30)}" in ${tell(element)} has a contrast of ${found.toFixed(2)}`);
}
for (const text of document.querySelectorAll("svg.chart text")) {
    const found = contrast(over(rgba(getComputedStyle(text).fill), ground(text.closest("svg"))), ground(text.closest("svg")));
    if (found < 4.5) complaints.push(`"${text.textContent}" in a chart has a contrast of ${found.toFixed(2)}`);
}
return [...new Set(complaints)];
