/** The field of the filter string. A list appends filters to it, and the server checks the text while the user types. */

import { get } from './api.js'
import { h } from './dom.js'

/** The server checks the text after a pause in typing of this length. */
const TYPING_PAUSE_MS = 250

/** The text that the list appends for each filter. Others get their name and empty parentheses. */
/** @type {Readonly<Record<string, string>>} */
const TEMPLATES = {
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
    { id: 'filter', rows: 2, spellcheck: 'false', autocomplete: 'off', 'aria-describedby': 'filter-check' },
    start,
  )
  const result = h('div', { id: 'filter-check', role: 'status' })
  const names = h('select', { id: 'filter-name' })
  const operator = h(
    'select',
    { id: 'filter-operator' },
    ['AND', 'OR'].map((word) => h('option', {}, word)),
  )
  let checks = 0
  const check = async () => {
    const number = ++checks
    try {
      const answer = await get('filter', [['text', text.value]])
      if (number !== checks) return
      if (names.options.length === 0)
        names.append(...answer.names.map((/** @type {string} */ name) => h('option', {}, name)))
      draw(answer)
    } catch {
      // The page itself shows that the server does not answer.
    }
  }
  const draw = (/** @type {any} */ { printed, problem }) => {
    text.toggleAttribute('aria-invalid', problem !== undefined)
    if (problem === undefined)
      result.replaceChildren(
        printed === undefined ? '' : h('code', { class: 'parsed' }, `parsed as ${printed}`),
      )
    else result.replaceChildren(caret(text.value, problem), h('p', { class: 'problem' }, problem.message))
  }
  let timer = 0
  text.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(check, TYPING_PAUSE_MS)
  })
  const add = () => {
    const added = TEMPLATES[names.value] ?? `${names.value}()`
    text.value = text.value.trim() === '' ? added : `${text.value.trim()} ${operator.value} ${added}`
    text.focus()
    void check()
  }
  void check()
  const element = h(
    'div',
    { class: 'filter' },
    h('label', { for: 'filter' }, 'Filter'),
    text,
    result,
    h(
      'div',
      { class: 'bar' },
      h('label', { for: 'filter-name' }, 'Filter to add'),
      names,
      h('label', { for: 'filter-operator' }, 'Operator'),
      operator,
      h('button', { type: 'button', onclick: add }, 'Add filter'),
    ),
  )
  return { element, text: () => text.value.trim() }
}

/**
 * The text with a caret below the wrong character, which the server counts from 1.
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
