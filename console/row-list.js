/** The rows of a page as a list: the cells of a row below its key. */

import { escaped, fromBase64 } from './bytes.js'
import { cellValue } from './cell-value.js'
import { gapRow } from './damage.js'
import { h } from './dom.js'
import { moreCells, rowTools } from './row-tools.js'
import { count, time } from './words.js'

/**
 * @param {import('./row-tools.js').Page} page
 * @param {import('./decode.js').Form} form
 * @param {import('./row-tools.js').Around} around
 */
export function listOfRows({ rows, gaps, isCut }, form, around) {
  const bodies = rows.map((row, index) => rowBody(row, isCut && index === rows.length - 1, form, around))
  // From the last gap on, so that the places of the others stay.
  for (const gap of gaps.toReversed()) bodies.splice(gap.at, 0, h('tbody', {}, gapRow(gap, 3)))
  const heads = ['Column', 'Timestamp', 'Value'].map((head) => h('th', { scope: 'col' }, head))
  return h(
    'div',
    { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Rows' },
    h(
      'table',
      { class: 'cells' },
      h('caption', { class: 'unseen' }, 'Rows'),
      h('thead', {}, h('tr', {}, heads)),
      bodies,
    ),
  )
}

/**
 * @param {import('./row-tools.js').Row} shown
 * @param {boolean} isCut
 * @param {import('./decode.js').Form} form
 * @param {import('./row-tools.js').Around} around
 */
function rowBody(shown, isCut, form, around) {
  const { row, cells, total } = shown
  const key = escaped(fromBase64(row))
  const body = h(
    'tbody',
    {},
    h(
      'tr',
      { class: 'row' },
      h(
        'th',
        { colspan: 3, scope: 'rowgroup' },
        h(
          'div',
          { class: 'row-head' },
          h('code', { class: 'key' }, key),
          h(
            'span',
            { class: 'hint' },
            `${isCut ? 'over ' : ''}${count(total)} ${total === 1 ? 'cell' : 'cells'}`,
          ),
          h('span', { class: 'row-tools' }, rowTools(row, around)),
        ),
      ),
    ),
    cells.map((cell) => cellRow(cell, form)),
  )
  if (total > cells.length) {
    const more = moreCells(shown, isCut, around, (added, rest) => {
      last.before(...added.map((cell) => cellRow(cell, form)))
      if (rest === 0) last.remove()
    })
    const last = h('tr', { class: 'more' }, h('td', { colspan: 3 }, more))
    body.append(last)
  }
  return body
}

/** @param {import('./row-tools.js').Cell} cell @param {import('./decode.js').Form} form */
function cellRow(cell, form) {
  const { family, qualifier, timestamp } = cell
  const column = `${escaped(fromBase64(family))}:${escaped(fromBase64(qualifier))}`
  return h(
    'tr',
    {},
    h('td', {}, h('code', {}, column)),
    h('td', { class: 'time' }, h('code', {}, timestamp), ' ', h('span', { class: 'hint' }, time(timestamp))),
    h('td', {}, cellValue(cell, form)),
  )
}
