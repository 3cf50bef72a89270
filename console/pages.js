/** The pages of the console in the order of the navigation, each with its key after `g`. */

import { showBackups } from './backups.js'
import { showCompactions } from './compactions.js'
import { showLog } from './log.js'
import { showNamespaces } from './namespaces.js'
import { showOverview } from './overview.js'
import { showReplication } from './replication.js'
import { showRows } from './rows.js'
import { showSettings } from './settings.js'
import { showSlow } from './slow.js'
import { showSnapshots } from './snapshots.js'
import { showTable } from './table.js'
import { showTables } from './tables.js'
import { showUsers } from './users.js'

/** @typedef {{ path: string, title: string, key: string }} Link */

/** @type {readonly { title: string, links: readonly Link[] }[]} */
export const GROUPS = [
  {
    title: 'Server',
    links: [
      { path: '', title: 'Overview', key: 'o' },
      { path: 'log', title: 'Log', key: 'l' },
      { path: 'slow', title: 'Slow log', key: 's' },
      { path: 'compactions', title: 'Compactions', key: 'c' },
    ],
  },
  {
    title: 'Data',
    links: [
      { path: 'tables', title: 'Tables', key: 't' },
      { path: 'namespaces', title: 'Namespaces', key: 'n' },
      { path: 'snapshots', title: 'Snapshots', key: 'p' },
    ],
  },
  {
    title: 'Copies',
    links: [
      { path: 'replication', title: 'Replication', key: 'r' },
      { path: 'backups', title: 'Backups', key: 'b' },
    ],
  },
  {
    title: 'Administration',
    links: [
      { path: 'users', title: 'Users', key: 'u' },
      { path: 'settings', title: 'Settings', key: 'e' },
    ],
  },
]

/** @type {readonly Link[]} */
export const LINKS = GROUPS.flatMap(({ links }) => links)

/** @type {Readonly<Record<string, import('./app.js').Page>>} */
export const PAGES = {
  '': showOverview,
  log: showLog,
  slow: showSlow,
  compactions: showCompactions,
  tables: (shown) => (shown.names.length > 0 ? showTable(shown) : showTables(shown)),
  rows: showRows,
  namespaces: showNamespaces,
  snapshots: showSnapshots,
  replication: showReplication,
  backups: showBackups,
  users: showUsers,
  settings: showSettings,
}
