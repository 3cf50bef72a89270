/** The rows of a page as a grid: a line for each row, a column for each column. Arrow keys move between cells, and Enter shows all of one. */

import { escaped, fromBase64 } from './bytes.js'
import { gapRow } from './damage.js'
import { decoded, FORMS } from './decode.js'
import { h } from './dom.js'
import { rowTools } from './row-tools.js'
import { count, time } from './words.js'

/** Columns of a grid. A row with more has them in the list. */
const COLUMNS_MAX = 60
/** Characters of a value that a cell of the grid has; a click shows all. */
const TEXT_MAX = 200

/** @typedef {{ family: string, name: string, cells: number }} Column */

/** @param {import('./row-tools.js').Cell} cell */
function columnKey({ family, qualifier }) {
  return `${family}:${qualifier}`
}

/** @param {Column} column */
function nameOf({ family, name }) {
  return `${family}\0${name}`
}

/** The columns of all rows, in HBase's order. @param {readonly import('./row-tools.js').Row[]} rows */
function columnsOf(rows) {
  /** @type {Map<string, Column>} */
  const columns = new Map()
  for (const { cells } of rows) {
    for (const cell of cells) {
      const key = columnKey(cell)
      const known = columns.get(key)
      if (known !== undefined) known.cells++
      else {
        const [family, name] = [cell.family, cell.qualifier].map((text) => escaped(fromBase64(text)))
        columns.set(key, { family: family ?? '', name: name ?? '', cells: 1 })
      }
    }
  }
  return new Map([...columns].sort(([, a], [, b]) => (nameOf(a) < nameOf(b) ? -1 : 1)))
}

/**
 * True where a grid suits the rows: most have most of the columns, and these are not too many.
 *
 * @param {readonly import('./row-tools.js').Row[]} rows
 */
export function agree(rows) {
  if (rows.length < 2) return false
  const columns = columnsOf(rows)
  if (columns.size === 0 || columns.size > COLUMNS_MAX) return false
  if (rows.some(({ cells, total }) => total > cells.length)) return false
  const filled = [...columns.values()].reduce((sum, { cells }) => sum + Math.min(cells, rows.length), 0)
  return filled >= 0.6 * rows.length * columns.size
}

/**
 * @param {import('./row-tools.js').Page} page
 * @param {import('./decode.js').Form} form
 * @param {import('./row-tools.js').Around} around
 */
export function gridOfRows({ rows, gaps, isCut }, form, around) {
  const all = columnsOf(rows)
  const columns = new Map([...all].slice(0, COLUMNS_MAX))
  const hidden = rows.map(({ cells, total }, index) => ({
    count: total - cells.filter((cell) => columns.has(columnKey(cell))).length,
    isCut: isCut && index === rows.length - 1,
  }))
  const hasHidden = hidden.some((each) => each.count > 0)
  const lines = rows.map((row, index) =>
    gridRow(row, columns, form, around, hasHidden ? hidden[index] : undefined),
  )
  const width = columns.size + (hasHidden ? 2 : 1)
  for (const gap of gaps.toReversed()) lines.splice(gap.at, 0, gapRow(gap, width))
  const heads = [...columns.values()].map(({ family, name }, index) =>
    h(
      'th',
      { scope: 'col', class: isNumeric(lines, index + 1) && 'number' },
      h('span', { class: 'family' }, `${family}:`),
      h('code', {}, name),
    ),
  )
  const grid = h(
    'table',
    { class: 'row-grid', role: 'grid' },
    h('caption', { class: 'unseen' }, 'Rows'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col', class: 'sticky' }, 'Row'),
        heads,
        hasHidden && h('th', { scope: 'col' }, 'Not shown'),
      ),
    ),
    h('tbody', {}, lines),
  )
  moveByArrows(grid)
  return h('div', { class: 'scroll grid-box', role: 'region', 'aria-label': 'Rows' }, grid)
}

/** True where all values of a column are numbers. @param {readonly HTMLTableRowElement[]} lines @param {number} column */
function isNumeric(lines, column) {
  const filled = lines.map(({ cells }) => cells[column]).filter((cell) => cell?.textContent)
  return filled.length > 0 && filled.every((cell) => cell?.classList.contains('number'))
}

/**
 * @param {import('./row-tools.js').Row} shown
 * @param {ReadonlyMap<string, Column>} columns
 * @param {import('./decode.js').Form} form
 * @param {import('./row-tools.js').Around} around
 * @param {{ count: number, isCut: boolean } | undefined} hidden
 */
function gridRow({ row, cells }, columns, form, around, hidden) {
  const key = escaped(fromBase64(row))
  /** @type {Map<string, import('./row-tools.js').Cell[]>} */
  const byColumn = new Map()
  for (const cell of cells) {
    const versions = byColumn.get(columnKey(cell))
    if (versions === undefined) byColumn.set(columnKey(cell), [cell])
    else versions.push(cell)
  }
  const shown = [...columns].map(([column, { family, name }]) => {
    const versions = byColumn.get(column)
    const [cell] = versions ?? []
    if (versions === undefined || cell === undefined) return h('td', { tabindex: -1, class: 'absent' })
    const { text, isOther } = decoded(fromBase64(cell.value), form)
    const isNumeric = /^-?\d[\d.]*(?:e[+-]?\d+)?$/i.test(text)
    return h(
      'td',
      {
        tabindex: -1,
        class: [isNumeric && 'number', isOther && 'other'].filter(Boolean).join(' ') || false,
        title: `${cell.timestamp} ${time(cell.timestamp)}`.trim(),
        'aria-haspopup': 'dialog',
        onclick: () => showCells(key, `${family}:${name}`, versions, form),
      },
      text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text,
      versions.length > 1 && h('span', { class: 'hint' }, ` +${versions.length - 1}`),
    )
  })
  const rest =
    hidden &&
    h(
      'td',
      { tabindex: -1, class: 'number' },
      hidden.count === 0 ? '' : `${hidden.isCut ? 'over ' : ''}${count(hidden.count)} cells`,
    )
  const tools = () => showTools(key, row, around)
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row', class: 'sticky', tabindex: -1, title: key, 'aria-haspopup': 'dialog', onclick: tools },
      h('code', { class: 'key' }, key),
    ),
    shown,
    rest,
  )
}

/** One cell of the grid is reached by Tab; arrow keys go on from it. @param {HTMLTableElement} grid */
function moveByArrows(grid) {
  const first = grid.tBodies[0]?.querySelector('[tabindex="-1"]')
  first?.setAttribute('tabindex', '0')
  grid.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLTableCellElement)) return
    grid.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1')
    target.setAttribute('tabindex', '0')
  })
  grid.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (!(target instanceof HTMLTableCellElement)) return
    if (key === 'Enter' || key === ' ') {
      event.preventDefault()
      target.click()
      return
    }
    const next = neighbour(target, key)
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  })
}

/** @param {HTMLTableCellElement} cell @param {string} key @returns {HTMLElement | undefined} */
function neighbour(cell, key) {
  const row = /** @type {HTMLTableRowElement} */ (cell.parentElement)
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return row.cells[cell.cellIndex + (key === 'ArrowLeft' ? -1 : 1)]
  if (key === 'Home' || key === 'End') return key === 'Home' ? row.cells[0] : row.cells[row.cells.length - 1]
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  let other = key === 'ArrowUp' ? row.previousElementSibling : row.nextElementSibling
  // Damaged rows have no cells to go to.
  while (other instanceof HTMLElement && other.classList.contains('gap'))
    other = key === 'ArrowUp' ? other.previousElementSibling : other.nextElementSibling
  return other instanceof HTMLTableRowElement ? other.cells[cell.cellIndex] : undefined
}

/**
 * All versions of a cell, in every form.
 *
 * @param {string} key
 * @param {string} column
 * @param {readonly import('./row-tools.js').Cell[]} versions
 * @param {import('./decode.js').Form} form
 */
function showCells(key, column, versions, form) {
  const words = FORMS.find(([name]) => name === form)?.[1] ?? ''
  const shown = versions.flatMap(({ timestamp, value, length }) => {
    const bytes = fromBase64(value)
    return [
      h('dt', {}, 'Timestamp'),
      h('dd', {}, h('code', {}, timestamp), ' ', h('span', { class: 'hint' }, time(timestamp))),
      h('dt', {}, 'Value'),
      h('dd', {}, h('pre', { tabindex: 0 }, decoded(bytes, form).text)),
      h('dt', {}, 'Bytes'),
      h(
        'dd',
        {},
        length > bytes.length ? `${count(length)}, of which the first ${count(bytes.length)}` : count(length),
      ),
    ]
  })
  showDialog(`${column} of ${key}`, [h('p', { class: 'hint' }, words), h('dl', {}, shown)])
}

/** @param {string} key @param {string} row base64 @param {import('./row-tools.js').Around} around */
function showTools(key, row, around) {
  const address = new URLSearchParams({ start: key, rows: '1', view: 'list' })
  const link = h(
    'a',
    { href: `#/rows/${encodeURIComponent(around.table)}?${address}` },
    'All cells of this row',
  )
  showDialog(`Row ${key}`, [h('p', {}, link), h('p', { class: 'actions' }, ...rowTools(row, around))])
}

/** @param {string} title @param {readonly Node[]} content */
function showDialog(title, content) {
  /** @type {HTMLDialogElement} */
  const dialog = h(
    'dialog',
    { class: 'wide', 'aria-labelledby': 'cell-title', onclose: () => dialog.remove() },
    h('h2', { id: 'cell-title' }, title),
    ...content,
    h('form', { method: 'dialog' }, h('button', {}, 'Close')),
  )
  dialog.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) dialog.close()
  })
  document.body.append(dialog)
  dialog.showModal()
}
