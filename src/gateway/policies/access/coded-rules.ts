/** The operations whose access rule is code in this folder, since it depends on more than their target. */

import { withFacets, withMethods } from '../../../store/decorate.ts'
import type { FacetName, Facets, MethodName, OPERATIONS } from '../../../store/operations.ts'
import type { Upkeep } from '../../../store/upkeep.ts'
import type { AdvertisedCatalog, AdvertisedStore } from '../../catalog/advertised.ts'

type Table = typeof OPERATIONS

/** The methods of a facet that the table of operations marks `coded`. */
type CodedMethod<Name extends FacetName> = {
  [Method in MethodName<Name>]: Method extends keyof Table[Name]
    ? Table[Name][Method] extends { readonly access: 'coded' }
      ? Method
      : never
    : never
}[MethodName<Name>]

type RuledFacets = Omit<Facets, 'catalog'> & { readonly catalog: AdvertisedCatalog }

/** Total by type: the code does not compile where an operation that the table marks `coded` lacks its method here. */
export type CodedRules = {
  readonly [Name in FacetName as CodedMethod<Name> extends never ? never : Name]: (
    facet: RuledFacets[Name],
  ) => Pick<RuledFacets[Name], CodedMethod<Name> & keyof RuledFacets[Name]>
}

/** The store with these methods in place of its own. Parts of upkeep that the store lacks are not added. */
export function withCodedRules(store: AdvertisedStore, rules: CodedRules): AdvertisedStore {
  const { rows, catalog, upkeep } = store
  return withFacets(store, {
    rows: withMethods(rows, rules.rows(rows)),
    catalog: withMethods(catalog, rules.catalog(catalog)),
    upkeep: Object.fromEntries(
      Object.entries(upkeep).map(([name, part]) => [name, ruledPart(name as keyof Upkeep, part, rules)]),
    ),
  })
}

function ruledPart(name: keyof Upkeep, part: object, rules: CodedRules): object {
  const rule = (rules as Partial<Record<FacetName, (part: object) => object>>)[name]
  return rule === undefined ? part : withMethods(part, rule(part))
}
