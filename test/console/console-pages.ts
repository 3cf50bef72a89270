/**
 * The pages of the console, as the server of `shown-server.ts` fills them. `pages.test.ts` looks for barriers on each, and `npm run
 * test:console -- --pictures docs/console` makes three pictures of it: NAME.png, NAME-dark.png and NAME-phone.png.
 */

export interface ConsolePage {
  /** The address behind `#/`. */
  readonly path: string
  /** The text of its h1. */
  readonly heading: string
  readonly name: string
}

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { path: '', heading: 'Overview', name: 'overview' },
  { path: 'tables', heading: 'Tables', name: 'tables' },
  { path: 'tables/cities', heading: 'cities', name: 'table' },
  { path: 'tables/metrics', heading: 'metrics', name: 'regions' },
  { path: 'tables/orders', heading: 'orders', name: 'damage' },
  { path: 'rows/cities?prefix=CH/', heading: 'Rows of cities', name: 'rows' },
  { path: 'rows/sensors', heading: 'Rows of sensors', name: 'wide' },
  { path: "rows/cities?filter=PrefixFilter('CH/') AND Row(", heading: 'Rows of cities', name: 'filter' },
  { path: 'rows/orders?start=order-00450', heading: 'Rows of orders', name: 'damaged-rows' },
  { path: 'slow', heading: 'Slow log', name: 'slow' },
  { path: 'compactions', heading: 'Compactions', name: 'compactions' },
  { path: 'log', heading: 'Log', name: 'log' },
  { path: 'namespaces', heading: 'Namespaces', name: 'namespaces' },
  { path: 'snapshots', heading: 'Snapshots', name: 'snapshots' },
  { path: 'replication', heading: 'Replication', name: 'replication' },
  { path: 'backups', heading: 'Backups', name: 'backups' },
  { path: 'users', heading: 'Users', name: 'users' },
  { path: 'settings', heading: 'Settings', name: 'settings' },
  { path: 'nowhere', heading: 'This page cannot be shown', name: 'nowhere' },
]
