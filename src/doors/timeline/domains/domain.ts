/** Domains, which have the access control lists of entities. */

export interface Domain {
  readonly id: string
  readonly owner: string
  /** The list as the client sent it: `user1,user2 group1,group2`, or `*`; undefined: only the owner. */
  readonly readers: string | undefined
  readonly writers: string | undefined
  readonly description: string | undefined
}

export interface StoredDomain extends Omit<Domain, 'owner'> {
  readonly owner: string | undefined
  /** Milliseconds since 1970. */
  readonly createdTime: bigint | undefined
  readonly modifiedTime: bigint | undefined
}
