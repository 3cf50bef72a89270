/** The page of backups: those in the folder of the archived log, and the moments that can be restored. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { definitions, emptyState, hiddenState, moment } from './parts.js'
import { ago, count, localTime, size } from './words.js'

/** @param {import('./app.js').Shown} shown */
export async function showBackups({ main, server, signal }) {
  const answer = await get('backups', [], signal)
  main.append(h('h1', {}, 'Backups'), ...drawn(answer, server.store))
}

/** @param {any} answer @param {string} store */
function drawn(answer, store) {
  if (answer.isHidden) return [hiddenState('The folder of backups', answer)]
  if (!answer.isThere)
    return [
      emptyState(
        'No backups of this store',
        store === 'memory'
          ? 'The memory store ends with the server. Serve with --store native:DIRECTORY to have backups.'
          : "The cluster behind this server has its data: back it up by HBase's means.",
      ),
    ]
  if (answer.folder === undefined)
    return [
      emptyState(
        'This server knows of no backups',
        'Make one while the server runs: ',
        h('code', {}, 'tidegate backup create FOLDER'),
        '. To restore any moment, start the server with ',
        h('code', {}, '--archive-log FOLDER'),
        '. Its backups are listed here then.',
      ),
    ]
  return [summary(answer), ...faults(answer.faults), ...timesOf(answer.times), backupsOf(answer)]
}

/** @param {any} answer */
function summary({ folder, backups, backupsTotal, times }) {
  const last = backups[0]
  const reached = Math.max(0, ...times.map((/** @type {{ to: number }} */ { to }) => to))
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Folder'),
    definitions([
      ['Path', h('code', {}, folder)],
      ['Backups', count(backupsTotal)],
      ['Last backup', last === undefined ? 'none yet' : moment(last.at)],
      ['Log archived up to', reached === 0 ? 'not yet' : moment(reached)],
    ]),
  )
}

/** @param {readonly string[]} sentences */
function faults(sentences) {
  return sentences.map((sentence) => h('p', { class: 'problem', role: 'alert' }, sentence))
}

/** @param {readonly { server: string, from: number, to: number, bytes: number }[]} times */
function timesOf(times) {
  if (times.length === 0) return []
  const rows = times.map(({ from, to, bytes, server }) => [
    `${localTime(from)} to ${localTime(to)}`,
    ago(Date.now() - to),
    size(bytes),
    server,
  ])
  return [table('Any moment between these can be restored', ['From and to', 'End', '#Log', 'Server'], rows)]
}

/** @param {any} answer */
function backupsOf({ backups, backupsTotal, folder }) {
  if (backups.length === 0)
    return emptyState(
      'No backup yet',
      'The server makes the first one soon after its start. Or make one: ',
      h('code', {}, `tidegate backup create ${folder}`),
      '.',
    )
  const rows = backups.map((/** @type {any} */ { name, at, bytes, newBytes, tables, missing }) => [
    h('code', {}, name),
    moment(at),
    count(tables),
    size(bytes),
    size(newBytes),
    missing === 0 ? 'whole' : h('span', { class: 'problem' }, `${count(missing)} files are missing`),
  ])
  const cut = backupsTotal > backups.length ? `, ${count(backups.length)} of ${count(backupsTotal)}` : ''
  return table(
    `Backups, latest first${cut}`,
    ['Backup', 'Moment', '#Tables', '#Size', '#New in it', 'State'],
    rows,
  )
}
