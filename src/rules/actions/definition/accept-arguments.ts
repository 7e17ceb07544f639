// The arguments of accept.
import { queueName } from '../../language/values/queue-name.ts'
import { bool, choice, described, fields, isMap, refuse, type Shape } from '../../language/values/shapes.ts'

const options = fields({
  squash: described('Whether the commits are squashed into one.', bool),
  remove_source_branch: described('Whether the source branch is removed.', bool),
  pipeline: described(
    '`required` (the default): the pipeline of its head succeeded; `none`: for projects without CI.',
    choice(['required', 'none']),
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

/** `true` means: with the defaults. */
export const acceptArgs: Shape<AcceptArgs> = {
  expected: `true or ${options.expected}`,
  schema: (context) => ({
    anyOf: [
      { const: true },
      {
        ...options.schema(context),
        not: {
          anyOf: [
            {
              properties: { pipeline: { const: 'none' }, when: { const: 'pipeline_succeeds' } },
              required: ['pipeline', 'when'],
            },
            { required: ['queue', 'when'] },
          ],
        },
      },
    ],
  }),
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
