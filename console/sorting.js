/** Tables that users sort by a click on a head. The order of a table lasts while the console is open, also when the page draws the table again. */

/** @typedef {{ column: number, isDescending: boolean }} Order */

/** The orders that users chose, by page and caption. @type {Map<string, Order>} */
const orders = new Map()

/** Units of the texts of words.js, each in the smallest one of its kind. @type {Readonly<Record<string, number>>} */
const UNITS = {
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
  µs: 1,
  ms: 1000,
  s: 1_000_000,
  min: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
}

/**
 * The value of a cell in the order of its column: `data-sort`, else the number and unit that its text begins with, else the text.
 *
 * @param {HTMLTableCellElement | undefined} cell
 * @param {boolean} isNumber
 */
function valueOf(cell, isNumber) {
  const text = cell?.dataset['sort'] ?? cell?.textContent?.trim() ?? ''
  if (!isNumber) return text
  const [, digits, unit = ''] = /^[^\d-]*(-?[\d,]*\.?\d+)\s*([A-Za-zµ]*)/.exec(text) ?? []
  if (digits === undefined) return Number.NEGATIVE_INFINITY
  return Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1)
}

/** @param {string | number} a @param {string | number} b */
function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Makes the heads of a table buttons that sort its rows. A first click on a column of numbers has the largest first.
 *
 * @param {HTMLTableElement} table
 * @param {readonly boolean[]} isNumber the columns of numbers
 */
export function makeSortable(table, isNumber) {
  const key = `${location.hash} ${table.caption?.textContent}`
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  const body = /** @type {HTMLTableSectionElement} */ (table.tBodies[0])
  const written = [...body.rows]
  const apply = () => {
    const order = orders.get(key)
    for (const [index, head] of heads.entries()) {
      if (order?.column === index)
        head.setAttribute('aria-sort', order.isDescending ? 'descending' : 'ascending')
      else head.removeAttribute('aria-sort')
    }
    if (order === undefined) return
    const { column, isDescending } = order
    const valued = written.map((row) => ({
      row,
      value: valueOf(row.cells[column], isNumber[column] ?? false),
    }))
    valued.sort((a, b) => (isDescending ? compare(b.value, a.value) : compare(a.value, b.value)))
    body.append(...valued.map(({ row }) => row))
  }
  const hadFocus = focusedHead(key)
  for (const [index, head] of heads.entries()) {
    if (head.textContent === '') continue
    const sort = () => {
      const order = orders.get(key)
      const isDescending = order?.column === index ? !order.isDescending : (isNumber[index] ?? false)
      orders.set(key, { column: index, isDescending })
      apply()
    }
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'head'
    button.dataset['table'] = key
    button.append(...head.childNodes)
    button.addEventListener('click', sort)
    head.replaceChildren(button)
    if (hadFocus === index) queueMicrotask(() => document.activeElement === document.body && button.focus())
  }
  apply()
}

/** The head that has the focus, of a table that is about to be drawn again. @param {string} key */
function focusedHead(key) {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || activeElement.dataset['table'] !== key) return undefined
  const head = activeElement.closest('th')
  return head?.cellIndex
}
