// Whether the browser's zoom is large. A slide fills its window whatever the zoom, so whoever zooms gets the slides as a text.

const LARGE = 1.5;

/** Asked of a window as it is now, against how it was at first, and against its frame, which no zoom changes. */
export function zoomed(window) {
  const first = seen(window);
  return () => {
    const now = seen(window);
    const since = now.sharp / first.sharp >= LARGE && first.wide / now.wide >= LARGE * 0.9;
    const before = now.sharp >= LARGE && now.frame / now.wide >= LARGE;
    return window.top === window && (since || before); // a frame in another page says nothing of zoom
  };
}

function seen({ devicePixelRatio: sharp, innerWidth: wide, outerWidth: frame }) {
  return { sharp, wide, frame };
}
