/**
 * Kinds of block by the magic that begins each. PERSISTED: never renumber.
 * HBase: org.apache.hadoop.hbase.io.hfile.BlockType.
 */
export const BlockType = {
  Data: 'DATABLK*',
  EncodedData: 'DATABLKE',
  LeafIndex: 'IDXLEAF2',
  BloomChunk: 'BLMFBLK2',
  Meta: 'METABLKc',
  IntermediateIndex: 'IDXINTE2',
  RootIndex: 'IDXROOT2',
  FileInfo: 'FILEINF2',
  GeneralBloomMeta: 'BLMFMET2',
  DeleteFamilyBloomMeta: 'DFBLMET2',
  Trailer: 'TRABLK"$',
} as const
export type BlockType = (typeof BlockType)[keyof typeof BlockType]

export const MAGIC_BYTES = 8

const KNOWN: ReadonlySet<string> = new Set(Object.values(BlockType))

/** The block type whose magic stands at `offset`, if it is one. */
export function blockTypeAt(buffer: Buffer, offset: number): BlockType | undefined {
  const magic = buffer.toString('latin1', offset, offset + MAGIC_BYTES)
  return KNOWN.has(magic) ? (magic as BlockType) : undefined
}
