/** Decorators: a facet or a store with some of its parts replaced. */

import type { Store } from './store.ts'

/** Facets whose methods do not need their object: binding them anew would cost each call a step more for each decorator. */
const areBound = new WeakSet<object>()

/** The facet with some methods replaced. Its own methods are bound to it. */
export function withMethods<Facet extends object, Replaced extends Partial<Facet>>(
  facet: Facet,
  replaced: Replaced,
): Facet & Replaced {
  const methods: Record<string, unknown> = {}
  for (let of: object = facet; of !== Object.prototype; of = Object.getPrototypeOf(of) as object) {
    for (const name of Object.getOwnPropertyNames(of)) {
      const value = (facet as Record<string, unknown>)[name]
      if (name === 'constructor' || name in methods) continue
      methods[name] = typeof value === 'function' && !areBound.has(facet) ? value.bind(facet) : value
    }
  }
  const made = { ...methods, ...replaced } as Facet & Replaced
  areBound.add(made)
  return made
}

type Facets = Pick<Store, 'rows' | 'handouts' | 'catalog' | 'upkeep'>

/** The store with some of its facets replaced. */
export function withFacets<Replaced extends Partial<Facets>>(
  store: Store,
  replaced: Replaced,
): Store & Replaced {
  const { kind, reach, carriesTags, rows, handouts, catalog, upkeep } = store
  return {
    kind,
    ...(reach && { reach }),
    ...(carriesTags !== undefined && { carriesTags }),
    rows,
    handouts,
    catalog,
    upkeep,
    clusterId: () => store.clusterId(),
    metrics: () => store.metrics(),
    outage: () => store.outage(),
    damage: () => store.damage(),
    troubles: () => store.troubles(),
    close: () => store.close(),
    ...replaced,
  }
}
