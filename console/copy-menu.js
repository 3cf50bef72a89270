import { asCurl, asHappybase, asShell } from './copy-as.js'
import { copy, h, problem } from './dom.js'

/**
 * A button that shows a read as commands for other clients.
 *
 * @param {import('./app.js').Server} server
 * @param {() => import('./copy-as.js').Read} read
 * @param {string} [row] the row's key for screen readers, if the read is of one row
 */
export function copyMenu(server, read, row) {
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
    dialog.append(h('h2', { id: 'copy-title' }, 'Commands for this read'))
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
  const label = row === undefined ? undefined : `Copy as a command: row ${row}`
  return h(
    'button',
    { type: 'button', class: row !== undefined && 'quiet', onclick: show, 'aria-label': label },
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
