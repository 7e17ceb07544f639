// Says in plain words what is wrong with the parameters of a request.
import type * as z from 'zod'

/** A line for each problem: `iid: expected a whole number, found "x".` */
export function invalidParameters(error: z.ZodError): string {
  return error.issues.map(lineOf).join('\n')
}

function lineOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `There is no parameter ${issue.keys.join(', ')}.`
  const name = issue.path.join('.')
  const found = issue.input === undefined ? '' : `, found ${shortened(issue.input)}`
  return `${name === '' ? '' : `${name}: `}${expected(issue)}${found}.`
}

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `expected ${types[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `expected at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      return `expected at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'invalid_format':
      return issue.format === 'datetime' ? 'expected a time such as 2026-11-21T10:00:00Z' : 'expected another format'
    default:
      return issue.message.replace(/^Invalid input: /, '').replace(/^./, (first) => first.toLowerCase())
  }
}

const types: Readonly<Record<string, string>> = {
  number: 'a whole number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '')

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
