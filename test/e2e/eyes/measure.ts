// Where each text of a panel is, and what of it can be read.

import type { Text } from './seen.ts'

/** Browsers round the positions of letters. */
const ROUNDING = 1

export function textsOf(panel: Element): Text[] {
  const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as globalThis.Text
    const element = node.parentElement!
    if (node.data.trim() === '' || !isShown(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const part = partOf(element)
    const cell = element.closest('[aria-colindex]')
    texts.push({
      part,
      text: node.data.trim(),
      ...(cell !== null && { column: Number(cell.getAttribute('aria-colindex')) - 1 }),
      ...visible(range.getBoundingClientRect(), element, panel),
      pixels: Number.parseFloat(getComputedStyle(element).fontSize),
      colour: colourOf(element, part),
    })
  }
  return texts
}

/** Some texts are for screen readers alone. */
function isShown(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('.sr-only') === null &&
    element.getBoundingClientRect().width > 1
  )
}

function partOf(element: Element): Text['part'] {
  if (element.closest('h2')) return 'title'
  if (element.closest('[role=columnheader]')) return 'header'
  if (element.closest('[role=gridcell]')) return 'cell'
  return element.closest('[data-testid*=legend i]') ? 'legend' : 'tile'
}

/** The part of it that nothing hides. What can be scrolled into sight is out of sight, but not cut. */
function visible(whole: DOMRect, element: Element, panel: Element): Pick<Text, 'cut' | 'box'> {
  let { left, right, top, bottom } = whole
  let cut: Text['cut']
  let canScroll = false
  for (let one: Element | null = element; one !== panel.parentElement && one !== null; one = one.parentElement) {
    const { overflowX, textOverflow, display } = getComputedStyle(one)
    if (overflowX === 'visible' || display === 'inline') continue
    canScroll ||= overflowX === 'auto' || overflowX === 'scroll'
    const outer = one.getBoundingClientRect()
    const inner = { left: outer.left + one.clientLeft, top: outer.top + one.clientTop }
    const [end, ground] = [inner.left + one.clientWidth, inner.top + one.clientHeight]
    // A line is higher than its letters.
    const slack = whole.height / 4
    const isWider = left < inner.left - ROUNDING || right > end + ROUNDING
    const isHigher = top < inner.top - slack || bottom > ground + slack
    // Boxes side by side have no dots.
    const hasDots = !isHigher && textOverflow === 'ellipsis' && !/flex|grid/.test(display)
    if (!canScroll && (isWider || isHigher)) cut = hasDots && cut !== 'silently' ? 'ellipsis' : 'silently'
    ;[left, right] = [Math.max(left, inner.left), Math.min(right, end)]
    ;[top, bottom] = [Math.max(top, inner.top), Math.min(bottom, ground)]
  }
  return { box: { left, right, top, bottom }, ...(cut !== undefined && { cut }) }
}

/** Of a tile the background, of a legend the line next to it. */
function colourOf(element: Element, part: Text['part']): Text['colour'] {
  if (part === 'tile') return behind(element)
  const line =
    part === 'legend' && element.closest('tr, li, div:has(> button)')?.querySelector('[data-testid=series-icon]')
  return line ? behind(line) : rgbOf(getComputedStyle(element).color)
}

/** The first colour on which it is written. */
function behind(element: Element): Text['colour'] {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { backgroundImage, backgroundColor } = getComputedStyle(one)
    const [painted] = /rgba?\([^)]+\)/.exec(backgroundImage) ?? []
    if (painted !== undefined) return rgbOf(painted)
    if (!backgroundColor.endsWith(', 0)')) return rgbOf(backgroundColor)
  }
  return [0, 0, 0]
}

function rgbOf(colour: string): Text['colour'] {
  const [red = 0, green = 0, blue = 0] = colour.match(/[\d.]+/g)?.map(Number) ?? []
  return [red, green, blue]
}
