import type { Logger } from 'pino'
import type { RestDoorOptions } from '../../doors/rest/rest-door.ts'
import type { ServerFacts } from '../../doors/web/status/server-facts.ts'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { audited } from '../../gateway/observing/audit/audited.ts'
import { readOnly } from '../../gateway/policies/read-only.ts'
import { ServerLife } from '../../gateway/server-life.ts'
import { StartError } from '../failures/start-error.ts'
import { busyPorts } from '../machine/busy-ports.ts'
import { openFiles, openFilesMax } from '../machine/open-files.ts'
import { packageVersion } from '../machine/version.ts'
import { type AdvertiseValues, DEFAULT_ZNODE_PARENT } from '../settings/advertise-options.ts'
import { DOOR_NAMES, type DoorName } from '../settings/door-ports.ts'
import { type ServeSettings } from '../settings/serve-options.ts'
import { REST_READ_ONLY } from '../settings/setting-keys.ts'
import type { NameSetting } from '../settings/setting-names.ts'
import { timelineSettings } from '../settings/timeline-options.ts'
import { type ConnectionShares, connectionShares } from './connection-shares.ts'
import { doorFailure, isPortInUse } from './door-failure.ts'

type Doors = Map<DoorName, Door>
/** `doors`: the open doors; doors that open later are added to it. */
type StartDoor = (
  context: DoorContext,
  address: DoorAddress,
  settings: OpenSettings,
  doors: ReadonlyMap<DoorName, Door>,
) => Promise<Door>
type TimelinePart = Partial<Pick<ServeSettings, 'timeline'>>
type RestSettings = RestDoorOptions & Partial<Pick<ServeSettings, 'restReadOnly'>>
type OpenSettings = Pick<ServeSettings, 'host' | 'ports'> &
  RestSettings &
  TimelinePart &
  Partial<AdvertiseValues> & {
    /** Undefined: each door takes as many connections as the limits say. */
    readonly shares?: ConnectionShares
    /** The port of the web pages where another thread has it; absent: that of the web door. */
    readonly infoPort?: number | undefined
  }

/** A new door is a folder under doors/ and a line here. A door that is off is not even loaded. */
const STARTERS: Partial<Readonly<Record<DoorName, StartDoor>>> = {
  rest: async (context, address, settings) => {
    const { startRestDoor } = await import('../../doors/rest/rest-door.ts')
    const store = settings.restReadOnly === true ? readOnly(context.store, REST_READ_ONLY) : context.store
    return startRestDoor({ ...context, store }, address, settings)
  },
  thrift: async (context, address) => {
    const { openThriftServices } = await import('../../doors/thrift/service/thrift-services.ts')
    const { startThriftDoor } = await import('../../doors/thrift/thrift-door.ts')
    return startThriftDoor(context, address, openThriftServices(context))
  },
  rpc: async (context, address, { infoPort }, doors) => {
    const { startRpcDoor } = await import('../../doors/rpc/rpc-door.ts')
    return startRpcDoor(context, address, { infoPort: () => infoPort ?? doors.get('web')?.port })
  },
  master: async (context, address, _, doors) => {
    const { isRpcDoor } = await import('../../doors/rpc/rpc-door.ts')
    const rpc = doors.get('rpc')
    if (!isRpcDoor(rpc)) throw new StartError('the port of the master is one of native RPC, which is off')
    return rpc.openMaster(context, address)
  },
  zookeeper: async (context, address, { znodeParent = DEFAULT_ZNODE_PARENT }, doors) => {
    const { startZooKeeperDoor } = await import('../../doors/zookeeper/zookeeper-door.ts')
    return startZooKeeperDoor(context, address, {
      znodeParent,
      infoPort: () => doors.get('web')?.port ?? 0,
      version: packageVersion(),
    })
  },
  timeline: async (context, address, { timeline = timelineSettings(new Map()) }) => {
    const { startTimelineDoor } = await import('../../doors/timeline/timeline-door.ts')
    return startTimelineDoor(context, address, timeline)
  },
}

/** The connections that the doors of these settings share. Logs a warning where an operator has stated more. */
export function sharesOf(
  { ports, limits, areConnectionsStated }: ServeSettings,
  logger: Logger,
): ConnectionShares {
  const shares = connectionShares({
    doors: DOOR_NAMES.filter(
      (name) => (name === 'web' || STARTERS[name] !== undefined) && ports[name] !== 'off',
    ),
    connectionsMax: limits.connectionsMax,
    isStated: areConnectionsStated,
    openFilesMax: openFilesMax(),
    openFiles: openFiles(),
  })
  if (shares.warning !== undefined) logger.warn(shares.warning)
  return shares
}

/**
 * Opens the web door, if it is not off, and adds it to the doors of `facts`. It needs no store, so that it can report how a start goes on.
 * Throws a StartError.
 */
export async function openWebDoor(
  context: Omit<DoorContext, 'store'>,
  settings: OpenSettings,
  facts: ServerFacts & { readonly doors: Doors },
  nameOf: NameSetting = nameOfFlag,
): Promise<void> {
  const shared = withShare(context, 'web', settings)
  const start = async (address: DoorAddress): Promise<Door> => {
    const { startWebDoor } = await import('../../doors/web/web-door.ts')
    return startWebDoor(shared, address, facts)
  }
  await openDoor('web', start, settings, facts.doors, nameOf)
}

/**
 * Opens every door that is not off and not in `doors` yet. If one cannot be opened, closes all and throws a StartError.
 * `doors`: with the web door where it is open already.
 */
export async function openDoors(
  context: DoorContext,
  settings: OpenSettings,
  nameOf: NameSetting = nameOfFlag,
  doors: Doors = new Map(),
): Promise<ReadonlyMap<DoorName, Door>> {
  try {
    for (const name of DOOR_NAMES) {
      const start = STARTERS[name]
      if (start === undefined) continue
      const shared = withShare(withAudit(context, name), name, settings)
      await openDoor(name, (address) => start(shared, address, settings, doors), settings, doors, nameOf)
      // Behind a port map clients need the outer port.
      if (name === 'rpc' && settings.advertise?.port !== undefined)
        context.server.port = settings.advertise.port
    }
    const web = doors.get('web')
    if (web === undefined) {
      const facts = { doors, life: ServerLife.serving(context.store), version: packageVersion() }
      await openWebDoor(context, settings, facts, nameOf)
    } else {
      // Lists of the doors have one order, even if the web door was opened first.
      doors.delete('web')
      doors.set('web', web)
    }
    if (doors.size === 0) throw new StartError('every door is off: give at least one of them a port')
  } catch (error) {
    await Promise.all([...doors.values()].map((door) => door.close()))
    doors.clear()
    throw error
  }
  return doors
}

function withAudit(context: DoorContext, door: DoorName): DoorContext {
  const { audit, store } = context
  return audit === undefined ? context : { ...context, store: audited(store, audit, door) }
}

/** The context with the connections that the door may take. */
function withShare<Context extends Pick<DoorContext, 'limits'>>(
  context: Context,
  door: DoorName,
  { shares }: OpenSettings,
): Context {
  const connectionsMax = shares?.connectionsMax.get(door)
  if (shares === undefined || connectionsMax === undefined) return context
  const { descriptorsMax } = shares
  return { ...context, limits: { ...context.limits, connectionsMax }, descriptorsMax }
}

function nameOfFlag(setting: string): string {
  return `--${setting}`
}

async function openDoor(
  name: DoorName,
  start: (address: DoorAddress) => Promise<Door>,
  { host, ports }: OpenSettings,
  doors: Doors,
  nameOf: NameSetting,
): Promise<void> {
  const port = ports[name]
  if (port === 'off') return
  try {
    doors.set(name, await start({ host, port }))
  } catch (error) {
    const rival = [...doors].find(([, door]) => door.port === port)?.[0]
    const others = isPortInUse(error) ? await busyPorts(host, portsToOpen(ports, name, doors)) : []
    throw doorFailure(error, { door: name, host, port, rival, others }, nameOf)
  }
}

/** The ports of the doors that are still to be opened after `failed`. */
function portsToOpen(
  ports: OpenSettings['ports'],
  failed: DoorName,
  doors: Doors,
): (readonly [DoorName, number])[] {
  return DOOR_NAMES.flatMap((name) => {
    const port = ports[name]
    return port === 'off' || name === failed || doors.has(name) ? [] : [[name, port] as const]
  })
}
