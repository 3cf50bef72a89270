import { namespaceOf, qualifierOf, type TableName } from '../../../src/model/table-name.ts'

/** HBase's layout below the store's directory: data/NAMESPACE/TABLE/ENCODED_REGION/FAMILY/FILE. */
export function tableDirectory(root: string, table: TableName): string {
  return `${root}/data/${namespaceOf(table)}/${qualifierOf(table)}`
}

export function regionDirectory(root: string, table: TableName, encodedName: string): string {
  return `${tableDirectory(root, table)}/${encodedName}`
}

/** A family's name may hold nearly any byte; a byte that is no letter, digit, `_` or `-` becomes %HH. */
export function familyDirectory(regionPath: string, family: Buffer): string {
  const name = family.toString('latin1').replaceAll(/[^A-Za-z0-9_-]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `${regionPath}/${name}`
}

export function filePath(regionPath: string, family: Buffer, number: number): string {
  return `${familyDirectory(regionPath, family)}/${String(number).padStart(10, '0')}`
}
