import { asCurl, asHappybase, asShell } from './copy-as.js'
import { copy, h, problem } from './dom.js'

/**
 * Shows the commands of a read for other clients, to copy or to mark.
 *
 * @param {import('./app.js').Server} server
 * @param {() => import('./copy-as.js').Read} read
 * @param {string} [of] the row, for screen readers
 */
export function copyMenu(server, read, of) {
  const port = (/** @type {string} */ name) => server.doors.find((door) => door.name === name)?.port
  const [rest, thrift] = [port('rest'), port('thrift')]
  const place = {
    protocol: location.protocol,
    host: location.hostname,
    ...(rest !== undefined && { rest }),
    ...(thrift !== undefined && { thrift }),
    ...(server.user !== undefined && { user: server.user }),
  }
  const show = () => {
    /** @type {HTMLDialogElement} */
    const dialog = h('dialog', {
      'aria-labelledby': 'copy-title',
      class: 'wide',
      onclose: () => dialog.remove(),
    })
    dialog.append(h('h2', { id: 'copy-title' }, 'As a command'))
    try {
      for (const [name, text] of commandsOf(read(), place)) {
        dialog.append(
          h('h3', {}, name),
          h('pre', { class: 'command', tabindex: 0, 'data-command': name }, text),
          h('button', { type: 'button', onclick: () => copy(text, name) }, `Copy for ${name}`),
        )
      }
    } catch (error) {
      dialog.append(problem(error))
    }
    dialog.append(h('form', { method: 'dialog' }, h('button', {}, 'Close')))
    document.body.append(dialog)
    dialog.showModal()
  }
  const label = of === undefined ? undefined : `Copy as a command: row ${of}`
  return h(
    'button',
    { type: 'button', class: of !== undefined && 'quiet', onclick: show, 'aria-label': label },
    'Copy as',
  )
}

/**
 * @param {import('./copy-as.js').Read} read
 * @param {import('./copy-as.js').Place} place
 * @returns {[string, string][]}
 */
function commandsOf(read, place) {
  return [
    ['curl', asCurl(read, place)],
    ['HBase shell', asShell(read)],
    ['happybase', asHappybase(read, place)],
  ]
}
