/** The table of a page's cells, grouped by row. */

import { change } from './api.js'
import { escaped, fromBase64, toBase64 } from './bytes.js'
import { confirmed } from './confirm.js'
import { copyMenu } from './copy-menu.js'
import { decoded } from './decode.js'
import { h, showMessage } from './dom.js'
import { count, time } from './words.js'

/**
 * @typedef {object} Cell
 * @property {string} family
 * @property {string} qualifier
 * @property {string} timestamp
 * @property {string} value
 * @property {number} length
 *
 * @typedef {object} Around
 * @property {string} table
 * @property {import('./app.js').Server} server
 * @property {() => import('./copy-as.js').Read} read
 * @property {() => Promise<void>} reload
 */

/**
 * @param {{ rows: readonly { row: string, cells: readonly Cell[] }[], isCut: boolean }} page
 * @param {import('./decode.js').Form} form
 * @param {Around} around
 */
export function pageOfRows({ rows, isCut }, form, around) {
  if (rows.length === 0) return h('p', {}, 'No rows found.')
  const bodies = rows.map(({ row, cells }) => rowBody(fromBase64(row), cells, form, around))
  const heads = ['Column', 'Timestamp', 'Value'].map((head) => h('th', { scope: 'col' }, head))
  return h(
    'div',
    { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Rows' },
    h('table', { class: 'cells' }, h('caption', {}, 'Rows'), h('thead', {}, h('tr', {}, heads)), bodies),
    isCut &&
      h(
        'p',
        { class: 'problem' },
        'The last row is cut: its cells exceed the limit of a page. State the columns to read.',
      ),
  )
}

/** @param {Uint8Array} row @param {readonly Cell[]} cells @param {import('./decode.js').Form} form @param {Around} around */
function rowBody(row, cells, form, { table, server, read, reload }) {
  const key = escaped(row)
  const remove = async () => {
    if ((await confirmed('Delete this row?', key, 'Delete')) === undefined) return
    await change({ kind: 'deleteRow', table, row: toBase64(row) }).then(
      () => showMessage('Row deleted.'),
      (error) => showMessage(error.message),
    )
    await reload()
  }
  const { columns, versions, from, to } = read()
  const ofRow = { table, row, columns, versions, from, to, filter: '', rows: 1 }
  return h(
    'tbody',
    {},
    h(
      'tr',
      { class: 'row' },
      h(
        'th',
        { colspan: 3, scope: 'rowgroup' },
        h('code', { class: 'key' }, key),
        ' ',
        copyMenu(server, () => ofRow, key),
        ' ',
        server.writes &&
          h(
            'button',
            { type: 'button', class: 'quiet', onclick: remove, 'aria-label': `Delete row ${key}` },
            'Delete',
          ),
      ),
    ),
    cells.map((cell) => cellRow(cell, form)),
  )
}

/** @param {Cell} cell @param {import('./decode.js').Form} form */
function cellRow({ family, qualifier, timestamp, value, length }, form) {
  const bytes = fromBase64(value)
  const { text, isOther } = decoded(bytes, form)
  const column = `${escaped(fromBase64(family))}:${escaped(fromBase64(qualifier))}`
  return h(
    'tr',
    {},
    h('td', {}, h('code', {}, column)),
    h('td', { class: 'time' }, h('code', {}, timestamp), ' ', h('span', { class: 'hint' }, time(timestamp))),
    h(
      'td',
      {},
      h('pre', { class: isOther && 'other' }, text),
      isOther && h('span', { class: 'hint' }, `not in this format, ${count(length)} bytes`),
      length > bytes.length &&
        h('span', { class: 'hint' }, `the first ${count(bytes.length)} of ${count(length)} bytes`),
    ),
  )
}
