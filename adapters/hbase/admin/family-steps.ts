import { type FamilyDescriptor, findFamily, type TableDescriptor } from '../../../src/model/descriptor.ts'
import type { Alteration } from '../../../src/store/table-alteration.ts'

/** One change of one family: one call of the master. */
export type FamilyStep =
  | { readonly kind: 'add' | 'modify'; readonly family: FamilyDescriptor }
  | { readonly kind: 'delete'; readonly family: Buffer }

type OfFamilies = Exclude<Alteration, { readonly kind: 'stepToTracker' }>

/** The steps of an alteration. `present`: the table before the first step. HBase: SchemaResource.update. */
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
