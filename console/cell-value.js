import { fromBase64 } from './bytes.js'
import { decoded } from './decode.js'
import { h } from './dom.js'
import { count } from './words.js'

/**
 * The value of a cell in a form, with a hint where the form does not fit or the page has only the beginning of the value.
 *
 * @param {import('./row-tools.js').Cell} cell
 * @param {import('./decode.js').Form} form
 */
export function cellValue({ value, length }, form) {
  const bytes = fromBase64(value)
  const { text, isOther } = decoded(bytes, form)
  return [
    h('pre', { class: isOther && 'other' }, text),
    isOther && h('span', { class: 'hint' }, `not in this format, ${count(length)} bytes`),
    length > bytes.length &&
      h('span', { class: 'hint' }, `the first ${count(bytes.length)} of ${count(length)} bytes`),
  ]
}
