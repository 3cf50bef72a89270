/** The paths of the web door's pages, without those below /console. */
export const WEB_PATHS = [
  '/',
  '/health',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/prometheus',
  '/jmx',
  '/master-status',
  '/rs-status',
  '/table.jsp',
] as const
export type WebPath = (typeof WEB_PATHS)[number]
