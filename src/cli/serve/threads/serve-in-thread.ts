import type { MessagePort } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { StoreReader } from '../../../../adapters/native/reader/open-reader.ts'
import { Exposition, type MetricsJson } from '../../../doors/web/metrics/exposition.ts'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { Incoming } from '../../../gateway/connections/incoming.ts'
import type { Door, DoorContext } from '../../../gateway/door.ts'
import { loginMetrics } from '../../../gateway/identity/guard/login-counts.ts'
import { certificateMetrics } from '../../../gateway/identity/tls/certificate-metrics.ts'
import { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { memoryMetrics } from '../../../gateway/limits/memory-metrics.ts'
import { requestMemory } from '../../../gateway/limits/store-memory.ts'
import { doorMetrics } from '../../../gateway/observing/metrics.ts'
import type { SlowOperation } from '../../../gateway/observing/slow/recent-slow.ts'
import { DecodeThreads } from '../../../gateway/requests/decoding/decode-threads.ts'
import { Siblings } from '../../../gateway/siblings/siblings.ts'
import { servingCollection } from '../../../model/collector.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { mapBlocksFrom } from '../../../model/mapped-memory.ts'
import { readMetrics } from '../../../model/metric.ts'
import { connectStore } from '../../../store/port/port-store.ts'
import { type LocalReads, threadStore } from '../../../store/port/thread-store.ts'
import { openDoors } from '../../doors/open-doors.ts'
import { describeFailure } from '../../failures/describe-failure.ts'
import { serverLog } from '../../logs/server-log.ts'
import { mappedFrom } from '../../machine/memory-shares.ts'
import { flagOf } from '../../settings/setting.ts'
import { type ReadPolicies, readsByPolicies } from '../../stores/reads-by-policies.ts'
import { rightsChanges } from '../../stores/rights-changes.ts'
import { openAccess } from '../open-access.ts'
import { openLogs, openTraces } from '../open-logs.ts'
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts'
import { openThreadReads } from './thread-reads.ts'

/** The doors of this thread, once they take connections. */
interface ThreadDoors {
  readonly incoming: Incoming
  reload(): void
  metrics(): Promise<readonly MetricsJson[]>
  close(): Promise<void>
}

/** Serves until the main thread says that the server stops, then ends the thread. */
export function serveInThread(start: ThreadStart, main: MessagePort): void {
  const send = (message: FromThread): void => main.postMessage(message)
  const events = { add: (line: string) => send({ kind: 'event', line }) }
  const logger = serverLog(start.settings.logLevel, { facts: { thread: start.number }, events })
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, `a bug in Tidegate: an unhandled failure: ${reasonOf(error)}`)
  })
  const opening = opened(start, logger, send)
  const answered = async (doors: ThreadDoors, message: ToThread): Promise<void> => {
    if (message.kind === 'connection') {
      doors.incoming.take(message.door, message.id, message.socket)
    } else if (message.kind === 'ask') {
      const { ask, about } = message
      if (about === 'reload') doors.reload()
      send({ kind: 'answer', ask, answer: about === 'metrics' ? await doors.metrics() : undefined })
    } else {
      await doors.close()
      process.exit(0)
    }
  }
  main.on('message', (message: ToThread) => {
    void opening.then((doors) => answered(doors, message))
  })
  opening.then(
    () => send({ kind: 'ready' }),
    (error: unknown) => {
      send({ kind: 'failed', message: describeFailure(error) })
      main.close()
    },
  )
}

async function opened(
  start: ThreadStart,
  logger: Logger,
  send: (message: FromThread) => void,
): Promise<ThreadDoors> {
  const { number, settings, requestsBytes, place, server, ports, infoPort } = start
  mapBlocksFrom(mappedFrom(settings.memoryBytesMax))
  const memory = new MemoryBudget(requestsBytes, servingCollection())
  const { access, audit } = await openLogs(settings, flagOf, logger, { thread: number })
  // The main thread has logged what the settings leave open.
  const opening = openAccess(settings, logger, { audit, warns: false })
  const { authorization, kerberos, troubles: _, reload, ...entrance } = await opening
  const { certificates, guard } = entrance
  const tracing = await openTraces(settings, logger)
  const { reader, reads } = await openReads(start, { authorization, tracing, memory, logger, send })
  // The main thread's store has regions with addresses.
  const store = threadStore(await connectStore(start.store), reads) as AdvertisedStore
  const decoding = new DecodeThreads({ logger, memoryBytes: memory.bytesMax, threadsMax: 1 })
  const incoming = new Incoming(ports as Readonly<Record<string, number>>, (id) =>
    send({ kind: 'closed', id }),
  )
  const context: DoorContext = {
    ...entrance,
    store,
    server,
    limits: settings.limits,
    memory,
    decoding,
    logger,
    access: tracing?.requests(access) ?? access,
    audit,
    siblings: new Siblings(place),
    incoming,
  }
  const doors = new Map<string, Door>()
  await openDoors(context, { ...settings, ports, infoPort }, flagOf, doors as Map<never, Door>)
  const logins = [...certificateMetrics(certificates), ...loginMetrics(guard)]
  const ofReads = [...(reader?.metrics ?? []), ...(tracing?.metrics() ?? [])]
  const own = [...doorMetrics(doors), ...memoryMetrics(memory), ...logins, ...ofReads]
  // The process has metrics of its own, which the main thread reports.
  const exposition = new Exposition(async () => readMetrics(own), false)
  return {
    incoming,
    reload,
    metrics: async () => [await exposition.json()],
    close: async () => {
      await Promise.all([...doors.values()].map((door) => door.close()))
      await decoding.close()
      for (const part of [certificates, guard, authorization]) part?.close()
      for (const part of [access, audit, tracing, kerberos]) await part?.close()
      reader?.close()
      start.reads?.port.close()
      start.store.close()
    },
  }
}

interface ReadsParts extends Pick<ReadPolicies, 'authorization' | 'tracing' | 'logger'> {
  readonly memory: MemoryBudget
  readonly send: (message: FromThread) => void
}

interface OpenReads {
  readonly reader?: StoreReader
  /** The reads of the reader, behind the policies. */
  readonly reads?: LocalReads
}

/** Empty where the main thread answers all reads. */
async function openReads(
  { reads: start, threads, settings: { slowLogMs } }: ThreadStart,
  { memory, send, ...parts }: ReadsParts,
): Promise<OpenReads> {
  if (start === undefined) return {}
  const reader = await openThreadReads(start, requestMemory(memory), threads, parts.tracing?.tracer)
  const slow = { add: (operation: SlowOperation) => send({ kind: 'slow', operation }) }
  const rights = rightsChanges(start.rights)
  return { reader, reads: await readsByPolicies(reader, { ...parts, rights, slowLogMs, slow }) }
}
