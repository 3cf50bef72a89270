import { change } from './api.js'
import { toBase64, unescaped } from './bytes.js'
import { h, problem, showMessage } from './dom.js'

/** @param {number | bigint} value @param {'setBigInt64' | 'setInt32' | 'setFloat64'} setter @param {number} length */
function number(value, setter, length) {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  if (setter === 'setBigInt64') view.setBigInt64(0, BigInt(value))
  else view[setter](0, Number(value))
  return bytes
}

/** @type {Readonly<Record<string, (text: string) => Uint8Array>>} */
const KINDS = {
  'text with \\xHH': unescaped,
  int64: (text) => {
    const value = BigInt(text)
    if (BigInt.asIntN(64, value) !== value) throw new Error('The number does not fit into 64 bits.')
    return number(value, 'setBigInt64', 8)
  },
  double: (text) => {
    if (text.trim() === '' || Number.isNaN(Number(text))) throw new Error('The value is not a number.')
    return number(Number(text), 'setFloat64', 8)
  },
}

/** @param {string} id @param {string} label */
function field(id, label) {
  const input = h('input', { id, autocomplete: 'off', spellcheck: 'false' })
  return { input, element: h('div', {}, h('label', { for: id }, label), input) }
}

/**
 * The form that puts one cell. `done` runs after the put.
 *
 * @param {string} table
 * @param {() => Promise<void>} done
 */
export function newCell(table, done) {
  const row = field('put-row', 'Row')
  const column = field('put-column', 'Column, family:qualifier')
  const value = field('put-value', 'Value')
  const kind = h(
    'select',
    { id: 'put-kind' },
    Object.keys(KINDS).map((name) => h('option', {}, name)),
  )
  const failed = h('div', {})
  const put = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      const [family = '', ...rest] = column.input.value.split(':')
      if (rest.length === 0) throw new Error('The column must be family:qualifier.')
      const encode = KINDS[kind.value] ?? unescaped
      await change({
        kind: 'put',
        table,
        row: toBase64(unescaped(row.input.value)),
        family: toBase64(unescaped(family)),
        qualifier: toBase64(unescaped(rest.join(':'))),
        value: toBase64(encode(value.input.value)),
      })
      failed.replaceChildren()
      showMessage('Cell put.')
      await done()
    } catch (error) {
      failed.replaceChildren(problem(error))
    }
  }
  return h(
    'form',
    { class: 'card', onsubmit: put, 'aria-labelledby': 'put-title' },
    h('h2', { id: 'put-title' }, 'Put a cell'),
    h(
      'div',
      { class: 'grid' },
      [row, column, value].map(({ element }) => element),
      h('div', {}, h('label', { for: 'put-kind' }, 'Value type'), kind),
    ),
    failed,
    h('button', {}, 'Put'),
  )
}
