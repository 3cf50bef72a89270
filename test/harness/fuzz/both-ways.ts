/** A Multi read both ways: with its plain actions in one walk, and with an object for each action. */

import type { Action } from '../../../src/doors/rpc/client/action.ts'
import { type MultiMessage, readMulti } from '../../../src/doors/rpc/client/read-multi.ts'
import type { RpcRequest } from '../../../src/doors/rpc/contract/rpc-service.ts'

/** The regions of a Multi with all actions as objects, or the error. `areBatched`: those of the first way whose actions became one batch. */
export function readBothWays(
  request: () => RpcRequest,
  actionsMax: number,
): { readonly onePass: unknown; readonly oneByOne: unknown; readonly areBatched: number } {
  let areBatched = 0
  const read = (takesPlain: boolean): unknown => {
    try {
      const message = readMulti(request(), actionsMax, takesPlain)
      if (takesPlain) areBatched = message.regions.filter(({ plain }) => plain !== undefined).length
      return { ...message, regions: regionsOf(message) }
    } catch (error) {
      return String(error)
    }
  }
  return { onePass: read(true), oneByOne: read(false), areBatched }
}

function regionsOf({ regions }: MultiMessage): unknown[] {
  return regions.map(({ plain, actions, ...rest }) => ({
    ...rest,
    actions: (plain?.actions() ?? actions).map(withCells),
  }))
}

/** The action with the bytes of its cells alone: behind them a block may have memory that was never written. */
function withCells(action: Action): unknown {
  if (action.kind !== 'mutation') return action
  const { mutation } = action
  const { buffer, start, end } = mutation.cells
  return { ...action, mutation: { ...mutation, cells: buffer.subarray(start, end) } }
}
