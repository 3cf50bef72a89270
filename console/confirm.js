import { h } from './dom.js'

/**
 * Asks the user to confirm a change. Resolves to the text of the dialog's field, empty without one; undefined where the user cancels.
 *
 * @param {string} title
 * @param {string} words what the change does
 * @param {string} yes the label of the button that confirms
 * @param {string} [label] the label of a text field; undefined: the dialog has none
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
          h('button', { value: 'no' }, 'Cancel'),
        ),
      ),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}
