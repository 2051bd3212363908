// What keyboard and mouse do in the viewer. Fingers and wheels scroll the strips themselves.

/** Further, in pixels, a press is no click. */
const SLACK = 4;

/** Keys go from page to page, and zoom. */
export function listenToKeys(viewer) {
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('select, input')) return;
    const { zoom } = viewer;
    const pan = (dx, dy) => () => zoom.pan(dx, dy), step = by => () => viewer.step(by);
    const keys = zoom.isOpen
      ? { ArrowLeft: pan(80, 0), ArrowRight: pan(-80, 0), ArrowUp: pan(0, 80), ArrowDown: pan(0, -80), Escape: () => zoom.close() }
      : { ArrowLeft: step(-1), ArrowRight: step(1), ArrowUp: step(-1), ArrowDown: step(1) };
    Object.assign(keys, {
      PageUp: step(-1), PageDown: step(1), Home: () => viewer.goTo(0), End: () => viewer.goTo(viewer.model.count - 1),
      '+': () => zoom.by(1.5), '=': () => zoom.by(1.5), '-': () => zoom.by(1 / 1.5), 0: () => zoom.close() });
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/**
 * A mouse scrolls no box by itself: calls `press()`, `move(by)` with pixels to the right, and `release(hasMoved)`. `choose`, where
 * it is given, gets the index of the page that was pressed without movement.
 */
export function dragByMouse(box, { press, move, release, choose }) {
  let last = null, travelled = 0;
  box.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'mouse' || event.button) return;
    [last, travelled] = [event.clientX, 0];
    press();
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener('pointermove', event => {
    if (last === null) return;
    const by = event.clientX - last;
    travelled += Math.abs(by);
    if (travelled > SLACK) move(by);
    last = event.clientX;
  });
  const chosen = element => { if (element?.dataset?.index !== undefined && travelled <= SLACK) choose(Number(element.dataset.index)); };
  for (const kind of ['pointerup', 'pointercancel']) box.addEventListener(kind, event => {
    if (last === null) return;
    last = null;
    release(travelled > SLACK);
    if (choose && kind === 'pointerup') chosen(document.elementsFromPoint(event.clientX, event.clientY).find(found => found.dataset?.index));
  });
  if (choose) box.addEventListener('click', event => chosen(event.target));
}
