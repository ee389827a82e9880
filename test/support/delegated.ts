// A validator of the primary network with six delegations, as a node reports it when asked for it alone (document 2,
// Validator record).

const nodeID = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const owner = { locktime: '0', threshold: '1', addresses: ['P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'] }
const delegation = (txID: string, endTime: string, weight: string, potentialReward: string) => ({
  txID,
  startTime: '1699000000',
  endTime,
  weight,
  nodeID,
  rewardOwner: owner,
  potentialReward,
})

export const delegated = {
  txID: '2NNkpYTGfTFLSGXJcHtVv6drwVU2cczhmjK2uhvwDyxwsjzZMm',
  startTime: '1690000000',
  endTime: '1710000000',
  weight: '2000000000000',
  nodeID,
  validationRewardOwner: owner,
  delegationRewardOwner: owner,
  potentialReward: '80123456789',
  delegationFee: '2.0000',
  uptime: '95.0000',
  connected: true,
  signer: {
    publicKey: '0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d',
    proofOfPosession:
      '0x8bfd6d4d2086b2b8115d8f72f94095fefe5a6c07876b2accf51a811adf520f389e74a3d2152a6d90b521e2be58ffe468',
  },
  delegatorCount: '6',
  delegatorWeight: '7126500000000',
  delegators: [
    delegation('wD4Rk6DvNvSzqgGvNq1zUcyXxDqQmTdgwqYy1MvAVfwWNeSqT', '1702592000', '2000000000000', '90000000'),
    delegation('2uRQkVHZp5mSfF6Vh1DAhpHiLmjyuBxyXRCvDnW8dHsHqS3gxq', '1700604801', '1000000000000', '80000000'),
    delegation('CdnNQ3zRW5WkMfXKWjTn5rnbUXtTnyHYJSyyTb1GC3dGZJk2s', '1700259200', '25000000000', '70000000'),
    delegation('SbHgWTQyaLZBbqQuXCh7zVeKnRTbcKXpVqS3ZDyRZfVxXbVnH', '1700604800', '100500000000', '60000000'),
    delegation('mYFcyFQ3HJtcqMcQeAxGpBVqkxW2XSHV9WHkUzNzUDYL5EZqd', '1702592001', '4000000000000', '50000000'),
    {
      ...delegation('2dZkTRS8YwD2Q9yqJv8rHRc4fT7nVpb5c3bTv7nGz3YVLhVLzH', '1700000000', '1000000000', '40000000'),
      startTime: '1690000000',
    },
  ],
}
