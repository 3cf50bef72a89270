/**
 * Interceptors: programs that stand between a door and a store and treat many operations alike, as access control and the audit log do. They are put
 * together once, when the server starts. An operation that an interceptor leaves out costs nothing more.
 */

import type { Call } from './call.ts'
import { withFacets, withMethods } from './decorate.ts'
import type { Handouts } from './handouts.ts'
import { type FacetName, type NamedOperation, operationsOf } from './operations.ts'
import type { ReadRows } from './rows.ts'
import type { Store } from './store.ts'
import type { Upkeep } from './upkeep.ts'

/** Runs the rest of the operation, with the call that it gets. */
export type Next = (call: Call | undefined) => unknown

/** `call`: undefined for an operation that has none; `args`: all arguments, the call among them. Answers what the caller gets. */
export type Around = (call: Call | undefined, args: readonly unknown[], next: Next) => unknown

/** Undefined: calls of the operation do not pass through it. */
export type Interceptor = (operation: NamedOperation) => Around | undefined

type Method = (...args: unknown[]) => unknown

/** The store, each operation of which passes through the interceptor first. */
export function intercepted<Own extends Store>(
  store: Own,
  interceptor: Interceptor,
): Store & Pick<Own, 'catalog'> {
  return withFacets(store, {
    rows: interceptedFacet('rows', store.rows, interceptor),
    handouts: interceptedFacet('handouts', store.handouts, interceptor),
    catalog: interceptedFacet<Own['catalog']>('catalog', store.catalog, interceptor),
    upkeep: interceptedUpkeep(store.upkeep, interceptor),
  })
}

/** Facets of reads, each operation of which passes through the interceptor first. */
export function interceptedReads<Facets extends { readonly rows: ReadRows; readonly handouts: Handouts }>(
  facets: Facets,
  interceptor: Interceptor,
): Facets {
  return {
    ...facets,
    rows: interceptedFacet('rows', facets.rows, interceptor),
    handouts: interceptedFacet('handouts', facets.handouts, interceptor),
  }
}

function interceptedUpkeep(upkeep: Upkeep, interceptor: Interceptor): Upkeep {
  const parts = Object.entries(upkeep).map(([name, part]) => {
    return [name, interceptedFacet(name as FacetName, part as object, interceptor)] as const
  })
  return Object.fromEntries(parts)
}

function interceptedFacet<Facet extends object>(
  name: FacetName,
  facet: Facet,
  interceptor: Interceptor,
): Facet {
  const methods: Record<string, Method> = {}
  for (const operation of operationsOf(name)) {
    const method = (facet as Readonly<Record<string, unknown>>)[operation.method]
    // A store may leave out a method that its facet allows it to leave out.
    if (typeof method !== 'function') continue
    const around = interceptor(operation)
    if (around !== undefined)
      methods[operation.method] = wrapped(method.bind(facet) as Method, operation.call, around)
  }
  return Object.keys(methods).length === 0 ? facet : withMethods(facet, methods as Partial<Facet>)
}

function wrapped(method: Method, at: number | undefined, around: Around): Method {
  if (at === undefined) return (...args) => around(undefined, args, () => method(...args))
  return (...args) =>
    around(args[at] as Call, args, (call) =>
      call === args[at] ? method(...args) : method(...args.with(at, call)),
    )
}
