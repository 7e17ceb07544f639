// The JSON Schema (draft 2020-12) of rule files for editors, from the tables of facts, operators, actions and events.
// It never refuses what `check` accepts.
import { commandSchema } from '../commands/comment-commands.ts'
import { includes } from '../documents/document-head.ts'
import { LONGEST_NAME, MOST_DEFINITIONS, MOST_RULES } from '../documents/rule-document.ts'
import { forShape } from '../documents/rule-subject.ts'
import { eventsSchema } from '../events.ts'
import { projectPatterns } from '../patterns/patterns.ts'
import { modeShape } from '../policy.ts'
import { queuesSchema } from '../queues.ts'
import type { ShapeSchema } from '../values/shapes.ts'
import { actionsSchema, conditionDefinitions, conditionSchema } from './conditions.ts'

const state = { onEvents: false }
const event = { onEvents: true }
const project = { onEvents: true, subject: 'project' } as const
const issueState = { onEvents: false, subject: 'issue' } as const
const issueEvent = { onEvents: true, subject: 'issue' } as const

/** Problems that only `check` finds. */
export const beyondSchema = [
  'two rules of one name',
  'regular expressions that are not RE2, globs with too many braces or alternatives',
  '`{{ fact }}` in texts: whether there is such a fact',
  '`use:` of a name that `defs:` does not give, or gives only later; a fact of events, or of merge requests, that comes by way of `use:`',
  'a window of the clock that ends before it begins, a day or a time zone that does not exist',
  'two queues of one name or for one branch, `batch` with more than one without `land: push`, `batch`, `land: push` or several builds with `test: rebase`, a freeze that never ends, `least` above `most`, a queue that the file does not have',
  'a duration that is too long, a label that is added and removed at once',
  'whose file it is: `projects` is for those of the operator, `include` for those of a repository',
  'YAML itself: keys that are there twice, aliases, tags, nesting, and the size of the file',
]

const onlyNotes = { const: 'note.create' }
/** A rule with a command waits only for notes. */
const notesOnly: ShapeSchema = {
  anyOf: [onlyNotes, { type: 'array', items: onlyNotes }, { type: 'object', propertyNames: onlyNotes }],
}

const parts = (condition: string, actions: string) => ({
  if: { $ref: `#/$defs/${condition}` },
  // biome-ignore lint/suspicious/noThenProperty: a key of rule files
  then: { $ref: `#/$defs/${actions}` },
})

const forOnly = (subject: 'merge_requests' | 'project') => ({ for: { const: subject } })

const onEvents = { if: { anyOf: [{ required: ['on'] }, { required: ['command'] }] } }

function ruleSchema(): ShapeSchema {
  return {
    type: 'object',
    properties: {
      name: {
        description: 'The name of the rule, unique in its file.',
        type: 'string',
        maxLength: LONGEST_NAME,
        pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
        examples: ['label documentation'],
      },
      for: {
        description:
          'What the rule is for; without it `merge_requests`, or `project` where `on:` has an event without one.',
        ...forShape.schema(event),
      },
      mode: {
        description: 'Whether the rule acts, only observes (decides and records, but calls nothing), or is off.',
        ...modeShape.schema(event),
      },
      on: {
        description:
          'Events: the rule acts once for each of them. Without `on` it acts when its conditions become true.',
        examples: ['note.create', { 'merge_request.update': { changed: ['labels'] } }],
        ...eventsSchema(event),
      },
      command: {
        description: 'A command in a note: `merge` is the comment `@bellhop merge`.',
        examples: ['merge'],
        ...commandSchema,
      },
      if: { description: 'The conditions: all of them must be true.' },
      // biome-ignore lint/suspicious/noThenProperty: a key of rule files
      then: { description: 'What is done: at least one action.' },
    },
    required: ['name', 'then'],
    additionalProperties: false,
    dependentSchemas: { command: { properties: { on: notesOnly } } },
    if: { properties: { for: { const: 'issues' } }, required: ['for'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      ...onEvents,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        properties: { ...parts('issue_event_condition', 'issue_event_actions'), on: eventsSchema(event, 'issue') },
      },
      else: { required: ['if'], properties: parts('issue_condition', 'issue_actions') },
    },
    else: {
      ...onEvents,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        anyOf: [
          {
            properties: {
              ...parts('event_condition', 'event_actions'),
              on: eventsSchema(event, 'merge_request'),
              ...forOnly('merge_requests'),
            },
          },
          {
            properties: {
              ...parts('project_condition', 'project_actions'),
              command: false,
              ...forOnly('project'),
            },
          },
        ],
      },
      else: { required: ['if'], properties: { ...parts('condition', 'actions'), ...forOnly('merge_requests') } },
    },
  }
}

export function ruleFileSchema(): ShapeSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Rules of Bellhop',
    description: 'A rule file: `.bellhop.yml` of a repository, or a file in the rule folder of an operator.',
    type: ['object', 'null'],
    properties: {
      version: { description: 'The version of the rule language.', const: 1 },
      mode: {
        description: 'The mode of all rules that name none: `act` (the default), `observe` or `off`.',
        ...modeShape.schema(event),
      },
      projects: {
        description: 'The projects of the rules, as globs of full paths. Only in a rule file of the operator.',
        examples: ['hotel/*'],
        ...projectPatterns.schema(event),
      },
      include: {
        description:
          'Rule files of other projects that count as this one’s own. Only in a repository’s rule file, and only of projects that the operator lists.',
        examples: [{ project: 'hotel/rules', file: 'merge.yml', ref: 'v1' }],
        ...includes.schema(event),
      },
      queues: {
        description: 'The merge queues of its target branches, for `accept: { queue: … }`. Not in an included file.',
        examples: [{ name: 'main', target: 'main' }],
        ...queuesSchema(state),
      },
      defs: {
        description: 'Conditions by name, for `use:`. Each may use those before it.',
        type: ['object', 'null'],
        maxProperties: MOST_DEFINITIONS,
        propertyNames: { pattern: '^[A-Za-z][\\w -]{0,59}$' },
        additionalProperties: {
          anyOf: [{ $ref: '#/$defs/event_condition' }, { $ref: '#/$defs/issue_event_condition' }],
        },
      },
      rules: {
        description: 'The rules, in order of precedence.',
        type: ['array', 'null'],
        maxItems: MOST_RULES,
        items: { $ref: '#/$defs/rule' },
      },
    },
    required: ['rules'],
    additionalProperties: false,
    $defs: {
      rule: ruleSchema(),
      condition: conditionSchema('condition', state),
      event_condition: conditionSchema('event_condition', event),
      actions: actionsSchema(state),
      event_actions: actionsSchema(event),
      project_condition: conditionSchema('project_condition', project),
      project_actions: actionsSchema(project),
      issue_condition: conditionSchema('issue_condition', issueState),
      issue_event_condition: conditionSchema('issue_event_condition', issueEvent),
      issue_actions: actionsSchema(issueState),
      issue_event_actions: actionsSchema(issueEvent),
      ...conditionDefinitions(event),
    },
  }
}
