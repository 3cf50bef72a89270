type Attribute = string | number | boolean | object

/** A bean of /jmx. */
export type Bean = Readonly<Record<string, Attribute>> & { readonly name: string }

export function hadoop(name: string, attributes: Readonly<Record<string, Attribute>>): Bean {
  return { name: `Hadoop:service=HBase,name=${name}`, ...attributes }
}
