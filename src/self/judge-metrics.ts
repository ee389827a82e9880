// What the judge publishes.

import { ofCondition, ofDaemon, ofNode, ofSubnet } from '../metrics/define.ts'

export const conditionEnded = ofCondition.gauge('stakewatch_condition_ended', {
  help: 'Always 1: the condition was a problem of the object, and ceased to be one within the last 15 minutes.',
  details: 'It ends the last verdict of a replica that does not answer.',
})

export const conditionMetrics = [
  ofCondition.gauge('stakewatch_condition', {
    help: 'Always 1: the condition is a problem of the object that the other labels name.',
    details:
      'It stays while its inputs are unknown, where its alert does; a problem inside a maintenance window, or that another condition explains, has no series.',
    labels: ['severity'],
  }),
  ofCondition.gauge('stakewatch_condition_value', {
    help: 'What the condition measured when it last was a problem: times in seconds, percentages as shares of 1.',
  }),
  ofCondition.gauge('stakewatch_condition_detail', {
    help: 'What the alert of the condition says beyond its value: the number of the detail, or 1 with its `text`.',
    labels: ['detail', 'text'],
  }),
  ofCondition.gauge('stakewatch_condition_unknown_since_timestamp_seconds', {
    help: 'Since when the inputs of a condition that is still held as a problem have been unknown.',
  }),
  conditionEnded,
  ofDaemon.gauge('stakewatch_conditions', {
    help: 'Number of objects in each state of the condition, in the network.',
    details:
      'A state without an object has no series, but for `problem`; together they are all objects that the condition judges.',
    labels: ['network', 'condition', 'state'],
  }),
] as const

export const nodeVotes = ofNode.gauge('stakewatch_node_votes', {
  help: 'Whether the reports of the node about validators count: 1 or 0.',
  details: 'A node that is down, of another network, still starting or isolated does not vote.',
})

export const weightOnline = ofSubnet.gauge('stakewatch_l1_weight_online_ratio', {
  help: 'Share of the weight of the L1 that is online, by the node that sees most of it.',
  details: 'Where no node with a vote runs its chain, the share that has a balance.',
})

export const judgeMetrics = [nodeVotes, weightOnline, ...conditionMetrics]
