import { h } from './dom.js'

/**
 * Asks before something is done. Undefined: it is not to be done; else what was typed.
 *
 * @param {string} title
 * @param {string} words
 * @param {string} yes
 * @param {string} [label] of a field
 * @returns {Promise<{ text: string } | undefined>}
 */
export function confirmed(title, words, yes, label) {
  return new Promise((resolve) => {
    const field = h('input', { id: 'confirm-field', autocomplete: 'off', spellcheck: 'false' })
    const close = () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes' ? { text: field.value } : undefined)
    }
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'confirm-title', onclose: close },
      h('h2', { id: 'confirm-title' }, title),
      h('p', {}, words),
      h(
        'form',
        { method: 'dialog', class: 'fields' },
        ...(label === undefined ? [] : [h('label', { for: 'confirm-field' }, label), field]),
        h(
          'div',
          { class: 'actions' },
          h('button', { value: 'yes' }, yes),
          h('button', { value: 'no' }, 'Not now'),
        ),
      ),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}
