// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A minimal token for the tests.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public blocked;

    constructor(uint8 places, uint256 supply) {
        decimals = places;
        balanceOf[msg.sender] = supply;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(!blocked[to], "blocked");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Two transfers in one transaction.
    function transferTwice(address to, uint256 first, uint256 second) external {
        transfer(to, first);
        transfer(to, second);
    }

    /// Emits a transfer event without moving tokens.
    function pretend(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return false;
    }

    /// Emits a transfer event and reverts.
    function transferAndFail(address to, uint256 value) external {
        transfer(to, value);
        revert("changed my mind");
    }

    function block_(address account) external {
        blocked[account] = true;
    }
}
