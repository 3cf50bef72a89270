/** The logs of requests beside the server's own, and the traces. */

import type { Logger } from 'pino'
import { AuditLog } from '../../gateway/observing/audit/audit-log.ts'
import { AccessLog } from '../../gateway/observing/logs/access-log.ts'
import type { LineLogOptions } from '../../gateway/observing/logs/line-log.ts'
import type { Tracing } from '../../gateway/observing/tracing/open-tracing.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { StartError } from '../failures/start-error.ts'
import { packageVersion } from '../machine/version.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import type { NameSetting } from '../settings/setting-names.ts'

/** The process or thread that writes the lines, where several do. */
export type LogPart = Pick<LineLogOptions, 'process' | 'thread' | 'isShared'>

export interface OpenLogs {
  readonly access: AccessLog | undefined
  readonly audit: AuditLog | undefined
}

/** Throws a StartError where a file cannot be opened. */
export async function openLogs(
  { accessLog, accessLogRows: showsRows, auditLog }: ServeSettings,
  nameOf: NameSetting,
  logger: Logger,
  part: LogPart = {},
): Promise<OpenLogs> {
  const opened = async <Log>(
    setting: 'accessLog' | 'auditLog',
    destination: string | undefined,
    open: (destination: string) => Promise<Log>,
  ): Promise<Log | undefined> => {
    try {
      return destination === undefined ? undefined : await open(destination)
    } catch (error) {
      const message = `${nameOf(setting)}: the file cannot be opened (${reasonOf(error)})`
      throw new StartError(message, { cause: error })
    }
  }
  const access = await opened('accessLog', accessLog, (destination) =>
    AccessLog.open({ destination, showsRows, ...part }, logger),
  )
  try {
    const audit = await opened('auditLog', auditLog, (destination) =>
      AuditLog.open({ destination, ...part }, logger),
    )
    return { access, audit }
  } catch (error) {
    await access?.close()
    throw error
  }
}

/** Loaded where it is asked for. */
export async function openTraces({ tracing }: ServeSettings, logger: Logger): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined
  const { openTracing } = await import('../../gateway/observing/tracing/open-tracing.ts')
  return openTracing(tracing, packageVersion(), logger)
}
