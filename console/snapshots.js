/** The page of snapshots. Where the console may change tables, it creates, clones, restores and deletes them. */

import { change, get } from './api.js'
import { confirmed } from './confirm.js'
import { h, problem, showMessage, table } from './dom.js'
import { emptyState, moment } from './parts.js'
import { count, size } from './words.js'

/**
 * @typedef {object} Snapshot
 * @property {string} name
 * @property {string} table
 * @property {string} type
 * @property {number} createdAt
 * @property {number} [expiresAt]
 * @property {string} [owner]
 * @property {number} [regions]
 * @property {number} [bytes]
 */

/** @param {import('./app.js').Shown} shown */
export async function showSnapshots({ main, server, signal }) {
  const place = h('div', {})
  main.append(h('h1', {}, 'Snapshots'), place)
  const draw = async () => {
    const answer = await get('snapshots', [], signal)
    if (!answer.isThere) {
      place.replaceChildren(emptyState('No snapshots here', 'This store does not support snapshots.'))
      return
    }
    const failed = h('div', {})
    const change = { failed, draw }
    place.replaceChildren(
      ...(answer.snapshots.length === 0 ? [none(server.writes)] : [list(answer, server.writes, change)]),
      failed,
      server.writes ? newSnapshot(answer.tables, change) : readOnly(),
    )
  }
  await draw()
}

/** @param {boolean} writes */
function none(writes) {
  return emptyState(
    'No snapshots',
    'A snapshot keeps a table as it is now, and takes room only as the table changes. ',
    ...(writes
      ? ['Make one below.']
      : ['Make one in the shell: ', h('code', {}, "snapshot 'TABLE', 'NAME'"), '.']),
  )
}

function readOnly() {
  return h(
    'p',
    { class: 'hint' },
    'The console is read-only. Start the server with ',
    h('code', {}, '--console-writes'),
    ' to create, clone, restore and delete snapshots here.',
  )
}

/** @typedef {{ failed: HTMLElement, draw: () => Promise<void> }} Changing */

/** @param {{ total: number, snapshots: readonly Snapshot[] }} answer @param {boolean} writes @param {Changing} changing */
function list({ total, snapshots }, writes, changing) {
  const hasOwners = snapshots.some(({ owner }) => owner !== undefined)
  const hasEnds = snapshots.some(({ expiresAt }) => expiresAt !== undefined)
  const rows = snapshots.map((each) => [
    each.name,
    h('a', { href: `#/tables/${encodeURIComponent(each.table)}` }, each.table),
    moment(each.createdAt),
    each.bytes === undefined ? '-' : size(each.bytes),
    each.regions === undefined ? '-' : count(each.regions),
    ...(hasEnds ? [each.expiresAt === undefined ? 'never' : moment(each.expiresAt)] : []),
    ...(hasOwners ? [each.owner ?? ''] : []),
    ...(writes ? [actions(each, changing)] : []),
  ])
  const heads = [
    'Snapshot',
    'Table',
    'Taken',
    '#Size',
    '#Regions',
    ...(hasEnds ? ['Expires'] : []),
    ...(hasOwners ? ['Owner'] : []),
    ...(writes ? ['Changes'] : []),
  ]
  const cut = total > snapshots.length ? `, the latest ${count(snapshots.length)} of ${count(total)}` : ''
  return table(`Snapshots, latest first${cut}`, heads, rows)
}

/** @param {Snapshot} snapshot @param {Changing} changing */
function actions(snapshot, changing) {
  const { name, table: of } = snapshot
  const button = (/** @type {string} */ label, /** @type {() => Promise<void>} */ work) =>
    h('button', { type: 'button', class: 'quiet', 'aria-label': `${label} ${name}`, onclick: work }, label)
  return h(
    'div',
    { class: 'actions' },
    button('Clone', async () => {
      const answer = await confirmed(
        `Clone ${name}`,
        `A new table gets the rows that ${of} had. ${of} stays as it is.`,
        'Clone',
        'Name of the new table',
      )
      if (answer !== undefined)
        await make({ kind: 'cloneSnapshot', snapshot: name, table: answer.text.trim() }, 'Cloned', changing)
    }),
    button('Restore', async () => {
      const words = `${of} becomes as it was when the snapshot was taken: later changes are lost. It is disabled meanwhile. To keep its present rows, take a snapshot first.`
      if ((await confirmed(`Restore ${of}`, words, 'Restore')) !== undefined)
        await make({ kind: 'restoreSnapshot', snapshot: name }, 'Restored', changing)
    }),
    button('Delete', async () => {
      const words = `The snapshot ${name} of ${of} goes. The table stays as it is.`
      if ((await confirmed(`Delete ${name}`, words, 'Delete')) !== undefined)
        await make({ kind: 'deleteSnapshot', snapshot: name }, 'Deleted', changing)
    }),
  )
}

/** @param {Readonly<Record<string, unknown>>} wanted @param {string} done @param {Changing} changing */
async function make(wanted, done, { failed, draw }) {
  try {
    await change(wanted)
    showMessage(`${done}: ${String(wanted['snapshot'])}`)
    await draw()
  } catch (error) {
    failed.replaceChildren(problem(error))
  }
}

/** @param {readonly string[]} tables @param {Changing} changing */
function newSnapshot(tables, changing) {
  if (tables.length === 0)
    return h(
      'p',
      { class: 'hint' },
      'There is no table to take a snapshot of. ',
      h('a', { href: '#/tables' }, 'Create a table'),
      '.',
    )
  const of = h(
    'select',
    { id: 'snapshot-table' },
    tables.map((name) => h('option', {}, name)),
  )
  const name = h('input', { id: 'snapshot-name', required: true, autocomplete: 'off', spellcheck: 'false' })
  const create = async (/** @type {Event} */ event) => {
    event.preventDefault()
    await make({ kind: 'createSnapshot', snapshot: name.value.trim(), table: of.value }, 'Created', changing)
  }
  return h(
    'form',
    { class: 'card fields', onsubmit: create },
    h('h2', {}, 'New snapshot'),
    h('label', { for: 'snapshot-table' }, 'Table'),
    of,
    h('label', { for: 'snapshot-name' }, 'Name: letters, digits, ', h('code', {}, '_ - .')),
    name,
    h('button', {}, 'Create'),
  )
}
