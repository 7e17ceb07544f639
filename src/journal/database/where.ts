// The WHERE of a list: the conditions whose values are given.

/** A condition, and the value of each of its `?`. */
export type ListFilter = readonly [text: string, ...values: unknown[]]

/**
 * Joins conditions with AND; one with an undefined value is left out. Adds their values to those of the statement so
 * far.
 */
export function where(values: unknown[], conditions: readonly ListFilter[]): string {
  const texts = conditions
    .filter(([, ...given]) => !given.includes(undefined))
    .map(([text, ...given]) => {
      const [...left] = given
      return text.replaceAll('?', () => `$${values.push(left.shift())}`)
    })
  return texts.length === 0 ? 'true' : texts.join(' AND ')
}
