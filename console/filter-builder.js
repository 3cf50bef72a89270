/** A filter string that grows: filters are chosen from a list, and the server says at once what it makes of the text. */

import { get } from './api.js'
import { h } from './dom.js'

const WAIT_MS = 250

/** How each filter is begun; what is missing here is begun with its name. */
/** @type {Readonly<Record<string, string>>} */
const BEGUN = {
  KeyOnlyFilter: 'KeyOnlyFilter()',
  FirstKeyOnlyFilter: 'FirstKeyOnlyFilter()',
  PrefixFilter: "PrefixFilter('row')",
  ColumnPrefixFilter: "ColumnPrefixFilter('q')",
  MultipleColumnPrefixFilter: "MultipleColumnPrefixFilter('a', 'b')",
  ColumnCountGetFilter: 'ColumnCountGetFilter(10)',
  PageFilter: 'PageFilter(10)',
  ColumnPaginationFilter: 'ColumnPaginationFilter(10, 0)',
  InclusiveStopFilter: "InclusiveStopFilter('row')",
  TimestampsFilter: 'TimestampsFilter(1, 2)',
  RowFilter: "RowFilter(=, 'binaryprefix:row')",
  FamilyFilter: "FamilyFilter(=, 'binary:f')",
  QualifierFilter: "QualifierFilter(=, 'binary:q')",
  ValueFilter: "ValueFilter(=, 'substring:text')",
  ColumnRangeFilter: "ColumnRangeFilter('a', true, 'b', false)",
  SingleColumnValueFilter: "SingleColumnValueFilter('f', 'q', =, 'binary:value', true, true)",
  SingleColumnValueExcludeFilter: "SingleColumnValueExcludeFilter('f', 'q', =, 'binary:value')",
  DependentColumnFilter: "DependentColumnFilter('f', 'q')",
  ColumnValueFilter: "ColumnValueFilter('f', 'q', =, 'binary:value')",
}

/** @param {string} start */
export function filterBuilder(start) {
  const text = h(
    'textarea',
    { id: 'filter', rows: 2, spellcheck: 'false', autocomplete: 'off', 'aria-describedby': 'filter-told' },
    start,
  )
  const told = h('div', { id: 'filter-told', role: 'status' })
  const names = h('select', { id: 'filter-name' })
  const how = h(
    'select',
    { id: 'filter-how' },
    ['AND', 'OR'].map((word) => h('option', {}, word)),
  )
  let asked = 0
  const check = async () => {
    const now = ++asked
    try {
      const answer = await get('filter', [['text', text.value]])
      if (now !== asked) return
      if (names.options.length === 0)
        names.append(...answer.names.map((/** @type {string} */ name) => h('option', {}, name)))
      draw(answer)
    } catch {
      // The page itself tells that the server does not answer.
    }
  }
  const draw = (/** @type {any} */ { printed, problem }) => {
    text.toggleAttribute('aria-invalid', problem !== undefined)
    if (problem === undefined)
      told.replaceChildren(printed === undefined ? '' : h('code', { class: 'read-as' }, `read as ${printed}`))
    else told.replaceChildren(caret(text.value, problem), h('p', { class: 'problem' }, problem.message))
  }
  let timer = 0
  text.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(check, WAIT_MS)
  })
  const add = () => {
    const begun = BEGUN[names.value] ?? `${names.value}()`
    text.value = text.value.trim() === '' ? begun : `${text.value.trim()} ${how.value} ${begun}`
    text.focus()
    void check()
  }
  void check()
  const element = h(
    'div',
    { class: 'filter' },
    h('label', { for: 'filter' }, 'Filter'),
    text,
    told,
    h(
      'div',
      { class: 'bar' },
      h('label', { for: 'filter-name' }, 'Add'),
      names,
      h('label', { for: 'filter-how' }, 'with'),
      how,
      h('button', { type: 'button', onclick: add }, 'Add filter'),
    ),
  )
  return { element, text: () => text.value.trim() }
}

/**
 * The text with a caret below the character that is wrong. The server counts characters from 1.
 *
 * @param {string} text
 * @param {{ character?: number }} problem
 */
function caret(text, { character }) {
  if (character === undefined) return ''
  const characters = Array.from(text, (each) => (/\s/.test(each) ? ' ' : each))
  return h(
    'pre',
    { class: 'caret', 'aria-hidden': 'true' },
    `${characters.join('')}\n${' '.repeat(character - 1)}^`,
  )
}
