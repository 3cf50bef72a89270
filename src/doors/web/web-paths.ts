/** The paths of the web door's pages. */
export const WEB_PATHS = ['/', '/health', '/health/live', '/health/ready', '/metrics'] as const
export type WebPath = (typeof WEB_PATHS)[number]
