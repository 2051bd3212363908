// Pointers on an element: one drags, two pinch and drag at once.

/** A pointer that moves no further, in pixels, still taps. */
const SLACK = 2;

/** Where an event is in `box`, in pixels. */
export function placeIn(box, { clientX, clientY }) {
  const { left, top } = box.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/**
 * Calls `drag(dx, dy)` as one pointer moves and `pinch(factor, at, dx, dy)` as two do: `at` is the middle between them, which
 * moved by `dx` and `dy`. `tap(at)` follows a single pointer that did not move, `end(left)` each that goes, `left` remain.
 * A single pointer that `takes` refuses is left to others until a second one joins it; a third is ignored.
 */
export function gestures(box, { takes = () => true, drag, pinch, tap, end }) {
  const pointers = new Map();
  let isTaken = false, hasMoved = false;
  const pair = () => {
    const [one, other] = [...pointers.values()];
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, span: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) };
  };

  box.addEventListener('pointerdown', event => {
    if (event.button) return;
    if (event.isPrimary) pointers.clear();
    if (pointers.size === 2) return;
    isTaken = hasMoved = pointers.size === 1;
    pointers.set(event.pointerId, placeIn(box, event));
    isTaken ||= takes(event);
    if (isTaken) for (const id of pointers.keys()) box.setPointerCapture(id);
  });

  box.addEventListener('pointermove', event => {
    const last = pointers.get(event.pointerId);
    if (!last || !isTaken) return;
    const now = placeIn(box, event);
    if (pointers.size === 2) {
      const before = pair();
      pointers.set(event.pointerId, now);
      const after = pair();
      pinch(after.span / before.span, { x: after.x, y: after.y }, after.x - before.x, after.y - before.y);
    } else if (hasMoved || Math.hypot(now.x - last.x, now.y - last.y) > SLACK) {
      hasMoved = true;
      pointers.set(event.pointerId, now);
      drag(now.x - last.x, now.y - last.y);
    }
  });

  for (const kind of ['pointerup', 'pointercancel']) box.addEventListener(kind, event => {
    const last = pointers.get(event.pointerId);
    if (!pointers.delete(event.pointerId)) return;
    if (kind === 'pointerup' && isTaken && !hasMoved) tap?.(last);
    end?.(pointers.size);
  });
}
