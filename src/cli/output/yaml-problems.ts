// Formats problems of a YAML file as `FILE:LINE:COLUMN: place: message`.
import type { ZodError } from 'zod'
import type { TextProblem, YamlText } from '../../rules/language/yaml/yaml-text.ts'

interface In {
  yaml: YamlText
  file: string
}

export function textProblem({ line, column, expected, found }: TextProblem, file: string): string {
  return `${file}:${line}:${column}: expected ${expected}, found ${found}`
}

/** One per issue, and one per unknown key. */
export function problemsOf({ issues }: Pick<ZodError, 'issues'>, where: In): string[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => format([...issue.path, key], 'key', 'unknown key', where))
      : [format(issue.path, 'value', issue.message, where)],
  )
}

export function problemAt(path: readonly PropertyKey[], message: string, where: In): string {
  return format(path, 'value', message, where)
}

function format(path: readonly PropertyKey[], at: 'key' | 'value', message: string, { yaml, file }: In): string {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)))
  const { line, column } = yaml.position(steps, at)
  return `${file}:${line}:${column}: ${steps.length === 0 ? '' : `${steps.join('.')}: `}${message}`
}
