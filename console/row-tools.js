/** Parts of a row that the list and the grid share: its buttons, and the button that shows more of its cells. */

import { change, get } from './api.js'
import { escaped, fromBase64 } from './bytes.js'
import { confirmed } from './confirm.js'
import { copyMenu } from './copy-menu.js'
import { h, showMessage } from './dom.js'
import { count } from './words.js'

/** Cells that a click on the button for more adds. */
const MORE_CELLS = 200

/**
 * @typedef {object} Cell
 * @property {string} family
 * @property {string} qualifier
 * @property {string} timestamp
 * @property {string} value
 * @property {number} length
 *
 * @typedef {object} Row
 * @property {string} row
 * @property {Cell[]} cells the first cells of the row
 * @property {number} total the number of all its cells, as far as the server has read them
 *
 * @typedef {object} Page
 * @property {readonly Row[]} rows
 * @property {readonly import('./damage.js').Gap[]} gaps
 * @property {boolean} isCut the last row has more cells than its total
 *
 * @typedef {object} Around
 * @property {string} table
 * @property {import('./app.js').Server} server
 * @property {() => import('./copy-as.js').Read} read
 * @property {() => Promise<void>} reload
 * @property {() => [string, string][]} parameters of the page's read, for the server
 */

/** @param {string} row base64 @param {Around} around @returns {import('./dom.js').Child[]} */
export function rowTools(row, { table, server, read, reload }) {
  const bytes = fromBase64(row)
  const key = escaped(bytes)
  const remove = async () => {
    if ((await confirmed('Delete this row?', key, 'Delete')) === undefined) return
    await change({ kind: 'deleteRow', table, row }).then(
      () => showMessage('Row deleted.'),
      (error) => showMessage(error.message),
    )
    await reload()
  }
  const { columns, versions, from, to } = read()
  const ofRow = { table, row: bytes, columns, versions, from, to, filter: '', rows: 1 }
  return [
    copyMenu(server, () => ofRow, key),
    server.writes &&
      h(
        'button',
        { type: 'button', class: 'quiet', onclick: remove, 'aria-label': `Delete row ${key}` },
        'Delete',
      ),
  ]
}

/**
 * A button that asks the server for the next cells of a row.
 *
 * @param {Row} shown
 * @param {boolean} isCut the row has more cells than its total
 * @param {Around} around
 * @param {(added: readonly Cell[], rest: number) => void} add shows the cells; `rest` is the number of those still hidden
 */
export function moreCells(shown, isCut, { parameters }, add) {
  const key = escaped(fromBase64(shown.row))
  const words = () => {
    const rest = shown.total - shown.cells.length
    const next = Math.min(rest, MORE_CELLS)
    const of = `${count(shown.cells.length)} of ${isCut ? 'over ' : ''}${count(shown.total)} cells`
    return [`Show ${count(next)} more`, of]
  }
  const label = h('span', { class: 'hint' }, words()[1])
  const more = async () => {
    button.disabled = true
    try {
      const kept = parameters().filter(
        ([name]) => !['rows', 'prefix', 'start', 'stop', 'next'].includes(name),
      )
      const answer = await get('rows', [
        ...kept,
        ['row', shown.row],
        ['skip', String(shown.cells.length)],
        ['cells', String(MORE_CELLS)],
      ])
      const added = answer.rows[0]?.cells ?? []
      shown.cells.push(...added)
      // Cells that were deleted meanwhile do not come any more.
      const rest = added.length === 0 ? 0 : shown.total - shown.cells.length
      const [text = '', of = ''] = words()
      button.textContent = text
      label.textContent = of
      add(added, rest)
    } catch (error) {
      showMessage(error instanceof Error ? error.message : String(error))
    }
    button.disabled = false
    button.focus()
  }
  const button = h(
    'button',
    { type: 'button', class: 'quiet', onclick: more, 'aria-label': `${words()[0]} cells of row ${key}` },
    words()[0],
  )
  return h('span', { class: 'more-cells' }, button, ' ', label)
}
