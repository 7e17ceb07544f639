// The arguments of accept.
import { requiredIn } from '../../language/conditions.ts'
import { queueName } from '../../language/values/queue-name.ts'
import type { Condition, Json } from '../../language/values/rule-types.ts'
import { bool, choice, described, fields, isMap, refuse, type Shape } from '../../language/values/shapes.ts'

const options = fields({
  squash: described('Whether the commits are squashed into one.', bool),
  remove_source_branch: described('Whether the source branch is removed.', bool),
  pipeline: described(
    '`required` (the default): the pipeline of its head succeeded, in the project itself; `of_fork`: that of the fork counts too, which is meant as well where the rule’s own conditions require one `of_fork`; `none`: for projects without CI.',
    choice(['required', 'of_fork', 'none']),
  ),
  when: described(
    'The service itself waits, and merges then: for the pipeline, or for every check, such as approvals (GitLab 17.4 and later; 17.0 on GitLab.com).',
    choice(['pipeline_succeeds', 'checks_pass']),
  ),
  queue: described(
    'The merge queue of its target branch, by its name in `queues`: it is tested with what merges before it, and merged when that succeeds. Not together with `when`.',
    queueName,
  ),
})
export type AcceptArgs = NonNullable<ReturnType<typeof options.read>>

/** The fact with the status of the pipeline that counts for the merge. */
export const pipelineFact = ({ pipeline }: AcceptArgs) => (pipeline === 'of_fork' ? 'pipeline_of_fork' : 'pipeline')

/** A rule whose conditions always require the fork's pipeline requires it for its merge too. */
export function withinRule(args: AcceptArgs, conditions: Condition): AcceptArgs {
  const takesForks = requiredIn(conditions).some(({ fact }) => fact === 'pipeline_of_fork')
  return takesForks ? { pipeline: 'of_fork', ...args } : args
}

/** `true` means: with the defaults. */
export const acceptArgs: Shape<AcceptArgs> = {
  expected: `true or ${options.expected}`,
  schema(context) {
    const waits = { pipeline: { const: 'none' }, when: { const: 'pipeline_succeeds' } }
    const excluded: Json[] = [{ properties: waits, required: Object.keys(waits) }, { required: ['queue', 'when'] }]
    const either: Json[] = [{ const: true }, { ...options.schema(context), not: { anyOf: excluded } }]
    return { anyOf: either }
  },
  read(value, path, issues) {
    if (value === true) return {}
    if (isMap(value)) {
      const read = options.read(value, path, issues)
      if (read?.queue !== undefined && read.when !== undefined)
        return refuse(issues, { path: [...path, 'when'], expected: 'either queue or when', found: 'both' })
      if (read?.when !== 'pipeline_succeeds' || read.pipeline !== 'none') return read
      return refuse(issues, { path: [...path, 'when'], expected: 'a pipeline to wait for', found: 'pipeline: none' })
    }
    return refuse(issues, { path, expected: this.expected })
  },
}
