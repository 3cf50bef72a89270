import { startRestDoor } from '../doors/rest/rest-door.ts'
import { openThriftServices } from '../doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../doors/thrift/thrift-door.ts'
import type { Door, DoorAddress, DoorContext } from '../gateway/door.ts'
import { DOOR_NAMES, type DoorName, type ServeSettings } from './serve-options.ts'

type StartDoor = (context: DoorContext, address: DoorAddress) => Promise<Door>

/** A new door is a folder under doors/ and a line here. */
const STARTERS: Partial<Readonly<Record<DoorName, StartDoor>>> = {
  rest: startRestDoor,
  thrift: (context, address) => startThriftDoor(context, address, openThriftServices(context)),
}

/** Opens every door that is not off. If one cannot be opened, closes those that were and throws. */
export async function openDoors(
  context: DoorContext,
  settings: Pick<ServeSettings, 'host' | 'ports'>,
): Promise<ReadonlyMap<DoorName, Door>> {
  const doors = new Map<DoorName, Door>()
  try {
    for (const name of DOOR_NAMES) {
      const start = STARTERS[name]
      const port = settings.ports[name]
      if (start === undefined || port === 'off') continue
      doors.set(name, await start(context, { host: settings.host, port }))
    }
  } catch (error) {
    await Promise.all([...doors.values()].map((door) => door.close()))
    throw error
  }
  return doors
}
