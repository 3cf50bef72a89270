import { type FamilyDescriptor, findFamily, type TableDescriptor } from '../../../src/model/descriptor.ts'
import type { Alteration } from '../../../src/store/table-alteration.ts'

/** One change of one family, for which the master has a call. */
export type FamilyStep =
  | { readonly kind: 'add' | 'modify'; readonly family: FamilyDescriptor }
  | { readonly kind: 'delete'; readonly family: Buffer }

type OfFamilies = Exclude<Alteration, { readonly kind: 'stepToTracker' }>

/** `present`: the table before, of which each step but a first one may no longer be true. HBase: SchemaResource.update. */
export function familySteps(alteration: OfFamilies, present: TableDescriptor): readonly FamilyStep[] {
  switch (alteration.kind) {
    case 'addFamily':
      return [{ kind: 'add', family: alteration.family }]
    case 'modifyFamily':
      return [{ kind: 'modify', family: alteration.family }]
    case 'deleteFamily':
      return [{ kind: 'delete', family: alteration.family }]
    case 'putFamilies':
      return alteration.families.map((family) => ({
        kind: findFamily(present, family.name) === undefined ? 'add' : 'modify',
        family,
      }))
  }
}
