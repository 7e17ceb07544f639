// Joins statements that do not need each other's changes into one, which is one transaction and one round trip.

export interface Statement {
  text: string
  values: unknown[]
  /** The name by which later statements select from its `RETURNING`. */
  as?: string
}

/** Runs all of these, and returns the rows of the last one. None sees in a table what another changes. */
export function together(statements: readonly Statement[]): [text: string, values: unknown[]] {
  const values: unknown[] = []
  const texts = statements.map(({ text, values: own }) => {
    const before = values.length
    values.push(...own)
    return text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${before + Number(place)}`)
  })
  const last = texts.pop() ?? ''
  const steps = texts.map((text, at) => `${statements[at]?.as ?? `step_${at}`} AS (${text})`)
  return [steps.length === 0 ? last : `WITH ${steps.join(', ')} ${last}`, values]
}
